import { parentPort, workerData } from 'node:worker_threads'
import { guardObjectPrototype } from '@vedette/protocol/guarded-prototype'
import { compareSync } from 'bcryptjs'

// A thread that says whether a bcrypt hash was made of a password, and ends.
guardObjectPrototype()
const asked: unknown = workerData
if (parentPort === null || typeof asked !== 'object' || asked === null || !('password' in asked) || !('hash' in asked))
  throw new TypeError('Cannot check a password: this is a thread of the hub')
parentPort.postMessage(compareSync(String(asked.password), String(asked.hash)), [])
