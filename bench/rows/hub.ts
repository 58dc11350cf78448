import { setTimeout as wait } from 'node:timers/promises'
import { scratchFolder } from '../../e2e/programs.ts'
import { startBenchHub } from '../bench-hub.ts'
import { memoryOf } from '../process-figures.ts'
import type { Row } from '../row.ts'
import { seedHub } from '../seeded-hub.ts'
import { freePort } from '../../tools/free-port.ts'

const SETTLED_MS = 20_000
const SYSTEMS = 1000

export const hubStart: Row = {
  id: 'H8',
  what: `hub: start to first answer with ${SYSTEMS} systems stored, and memory when idle and empty`,
  async measure() {
    using full = scratchFolder()
    await seedHub(full.path, { systems: SYSTEMS, people: 1, tokens: 'own', link: 'websocket', port: 1 })
    await startToAnswer(full.path, 0)
    const { startMs } = await startToAnswer(full.path, 0)
    using empty = scratchFolder()
    await startToAnswer(empty.path, 0)
    const { residentMebibytes, privateMebibytes } = await startToAnswer(empty.path, SETTLED_MS)
    return [
      { name: `start to first answer, ${SYSTEMS} systems stored`, value: startMs, unit: 'ms', bar: 500 },
      { name: 'resident', value: residentMebibytes, unit: 'MiB', bar: 90 },
      { name: 'private', value: privateMebibytes, unit: 'MiB' },
    ]
  },
}

/**
 * Starts the hub and stops it after `settledMs` ms. Resolves with the time to its first response in ms, and its memory in MiB at the end.
 * The first start in a folder also creates the database.
 */
async function startToAnswer(directory: string, settledMs: number) {
  const listen = `127.0.0.1:${await freePort()}`
  const startedAtMs = performance.now()
  const hub = await startBenchHub({ listen, directory })
  const answer = await fetch(`http://${listen}/api/health`)
  const startMs = performance.now() - startedAtMs
  if (!answer.ok) throw new Error(`The hub answers its health with ${answer.status}`)
  await wait(settledMs)
  const memory = memoryOf(hub.pid)
  await hub.stop()
  return { startMs, ...memory }
}
