import { guardObjectPrototype } from '@vedette/protocol/guarded-prototype'
import { runHub } from './cli/run-hub.ts'

guardObjectPrototype()
// oxlint-disable-next-line node/no-process-env -- the one place where this program's environment enters
await runHub(process.argv.slice(2), process.env)
