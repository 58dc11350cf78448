import { guardObjectPrototype } from '@vedette/protocol/guarded-prototype'
import { runCommand } from './cli/command-line.ts'
import { processTerminal } from './cli/standard-streams.ts'
import { becomeOwnUser } from './startup/options/own-user.ts'

guardObjectPrototype()
const args = process.argv.slice(2)
// oxlint-disable-next-line node/no-process-env -- the one place where this program's environment enters
const environment = process.env
if (becomeOwnUser(args, environment)) process.exitCode = await runCommand(args, processTerminal(environment))
