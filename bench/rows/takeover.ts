import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { scratchFolder } from '../../e2e/programs.ts'
import { freePort } from '../../tools/free-port.ts'
import { root } from '../../tools/rules/source-tree.ts'
import { startBenchHub } from '../bench-hub.ts'
import { startBenchProcess } from '../bench-process.ts'
import type { FleetOptions, FleetOrder, FleetReport } from '../fleet-report.ts'
import { answersFrom } from '../loaded-hub.ts'
import type { Figure, Row } from '../row.ts'
import { seedHub } from '../seeded-hub.ts'

const AGENTS = 1000
const CONTAINERS = 10
const MOST = 0.99
const DIALS_PER_SECOND = 500
const WITHIN_MS = 300_000

const vedette = (...args: readonly string[]) => promisify(execFile)(process.execPath, [join(root, 'hub', 'src', 'vedette.ts'), ...args])

/**
 * Benchmark of the switch from another hub to this one: data in the other hub's form is imported, agents try to connect, and this hub
 * starts. It measures the time from that start until this hub has polled 99 % of the agents.
 */
export const takeover: Row = {
  id: 'IT',
  what: `takeover: ${AGENTS} agents of another hub, from its stop until this hub has polled 99 %`,
  async measure() {
    const figures: Figure[] = []
    for (const link of ['websocket', 'ssh'] as const) figures.push(await takenOver(link))
    return figures
  },
}

async function takenOver(link: 'websocket' | 'ssh'): Promise<Figure> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(scratchFolder()).path
  const [seeded, theirs, ours] = ['seeded', 'theirs', 'ours'].map((name) => join(folder, name))
  if (seeded === undefined || theirs === undefined || ours === undefined) throw new RangeError('There are three folders')
  const [port, listen] = [await freePort(), `127.0.0.1:${await freePort()}`]
  const { publicLine } = await seedHub(seeded, { systems: AGENTS, people: 1, tokens: 'own', link, port })
  await vedette('export', 'beszel', theirs, '--data', seeded)
  await vedette('import', theirs, '--data', ours)
  const options: FleetOptions = {
    count: AGENTS,
    containers: CONTAINERS,
    tokens: 'own',
    link:
      link === 'websocket'
        ? { kind: link, url: `ws://${listen}/api/beszel/agent-connect`, dialling: 'in step' }
        : { kind: link, port, hubKeyLine: publicLine },
  }
  const fleet = stack.use(startBenchProcess<FleetOrder, FleetReport>(new URL('../fleet.ts', import.meta.url), options))
  fleet.tell({ order: 'dial', perSecond: DIALS_PER_SECOND })
  await fleet.ask({ order: 'report' })
  const beganAtMs = performance.now()
  const hub = await startBenchHub({ listen, directory: ours })
  stack.defer(async () => void (await hub.stop()))
  await answersFrom(fleet, AGENTS * MOST, WITHIN_MS)
  return { name: `agents over ${link === 'ssh' ? 'SSH' : 'WebSocket'}`, value: (performance.now() - beganAtMs) / 1000, unit: 's', bar: 60 }
}
