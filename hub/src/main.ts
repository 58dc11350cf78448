import { guardObjectPrototype } from '@vedette/protocol/guarded-prototype'
import { runHub } from './cli/run-hub.ts'
import { becomeOwnUser } from './startup/options/own-user.ts'

guardObjectPrototype()
const args = process.argv.slice(2)
// oxlint-disable-next-line node/no-process-env -- the one place where this program's environment enters
const environment = process.env
if (becomeOwnUser(args, environment)) await runHub(args, environment)
