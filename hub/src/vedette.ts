import { guardObjectPrototype } from '@vedette/protocol/guarded-prototype'
import { runCommand } from './cli/command-line.ts'
import { readAll, writingTo } from './cli/standard-streams.ts'

guardObjectPrototype()
process.exitCode = await runCommand(process.argv.slice(2), {
  // oxlint-disable-next-line node/no-process-env -- the one place where this program's environment enters
  environment: process.env,
  readInput: () => readAll(process.stdin),
  say: (text) => void process.stdout.write(`${text}\n`),
  write: writingTo(process.stdout),
  complain: (text) => void process.stderr.write(`${text}\n`),
})
