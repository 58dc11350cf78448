import { compareSync } from 'bcryptjs'
import { serveWorker } from '../../platform/process/worker.ts'

serveWorker(() => ({
  handle(request) {
    if (typeof request !== 'object' || request === null || !('password' in request) || !('hash' in request))
      throw new TypeError('Cannot check a password: the request is incomplete')
    return compareSync(String(request.password), String(request.hash))
  },
}))
