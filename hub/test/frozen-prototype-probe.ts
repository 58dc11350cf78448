import { writeSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'

// Loaded before a program: it reports at its end, and each of its threads with every message, whether `Object.prototype` can be changed.
const report = (who: string) => writeSync(2, `${who} ${Object.isFrozen(Object.prototype) ? 'frozen' : 'open'}\n`)

const port = parentPort
if (port === null) process.on('exit', () => report('program'))
else {
  const post = port.postMessage.bind(port)
  port.postMessage = (message: unknown) => {
    report('thread')
    post(message, [])
  }
}
