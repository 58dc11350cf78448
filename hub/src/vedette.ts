import { guardObjectPrototype } from '@vedette/protocol/guarded-prototype'
import { runCommand } from './cli/command-line.ts'
import { processTerminal } from './cli/standard-streams.ts'

guardObjectPrototype()
// oxlint-disable-next-line node/no-process-env -- the one place where this program's environment enters
process.exitCode = await runCommand(process.argv.slice(2), processTerminal(process.env))
