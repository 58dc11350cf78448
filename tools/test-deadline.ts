import { Worker } from 'node:worker_threads'

// Loaded before each test file: ends the process and all its children when its tests hang. It uses a thread, since the tests may block.

/** Timeout of a test file in ms: about ten times what the slowest group of files takes on two idle cores. */
const DEADLINE_MS = (process.env['VEDETTE_LONG'] === '1' ? 40 : 20) * 60_000

/** Text of the failure that is reported for a test file when it exceeds the timeout and is ended. */
export const HANGS = `still runs after ${DEADLINE_MS / 60_000} min and is ended`

const watch = `
const { readFileSync, readdirSync, writeSync } = require('node:fs')

/** Returns a map from the PID of each process of this machine to the PID of its parent, proc_pid_stat(5). */
function parents() {
  const found = new Map()
  for (const pid of readdirSync('/proc')) {
    if (!/^[0-9]+$/.test(pid)) continue
    try {
      found.set(Number(pid), Number(readFileSync('/proc/' + pid + '/stat', 'latin1').split(') ').at(-1).split(' ')[1]))
    } catch (error) {
      // The process ended meanwhile.
      if (error.code !== 'ENOENT' && error.code !== 'ESRCH') throw error
    }
  }
  return found
}

function end(pid) {
  for (const [child, parent] of process.platform === 'linux' ? parents() : []) if (parent === pid) end(child)
  process.kill(pid, 'SIGKILL')
}

setTimeout(() => {
  writeSync(2, process.argv[1] + ' ${HANGS}\\n')
  end(process.pid)
}, ${DEADLINE_MS})
`

if (process.env['NODE_TEST_CONTEXT'] !== undefined) new Worker(watch, { eval: true }).unref()
