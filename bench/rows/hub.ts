import { setTimeout as wait } from 'node:timers/promises'
import { freePort, scratchFolder, startProgram } from '../../e2e/programs.ts'
import { memoryOf } from '../process-figures.ts'
import type { Row } from '../row.ts'

const SETTLED_MS = 20_000

export const hubStart: Row = {
  id: 'H8',
  what: 'hub: start to first answer, and memory when idle and empty',
  async measure() {
    using folder = scratchFolder()
    const first = startProgram('hub/src/main.ts', { args: await hubArguments(folder.path) })
    await first.line(/listens on/)
    await first.stop()
    const args = await hubArguments(folder.path)
    const startedAtMs = performance.now()
    const hub = startProgram('hub/src/main.ts', { args })
    await hub.line(/listens on/)
    const answer = await fetch(`http://${args[1]}/api/health`)
    const startMs = performance.now() - startedAtMs
    if (!answer.ok) throw new Error(`The hub answers its health with ${answer.status}`)
    await wait(SETTLED_MS)
    const { residentMebibytes, privateMebibytes } = memoryOf(hub.pid)
    await hub.stop()
    return [
      { name: 'start to first answer, no systems stored', value: startMs, unit: 'ms', bar: 500 },
      { name: 'resident', value: residentMebibytes, unit: 'MiB', bar: 90 },
      { name: 'private', value: privateMebibytes, unit: 'MiB' },
    ]
  },
}

async function hubArguments(directory: string): Promise<readonly string[]> {
  return ['--listen', `127.0.0.1:${await freePort()}`, '--data', directory, '--log-level', 'error']
}
