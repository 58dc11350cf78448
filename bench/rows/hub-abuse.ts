import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { abuseNames } from '../../hub/abuse/abuses.ts'
import type { AbuserOptions } from '../../hub/abuse/abuser.ts'
import { ensureDashboard } from '../../tools/dashboard.ts'
import { root } from '../../tools/rules/source-tree.ts'
import { startBenchProcess } from '../bench-process.ts'
import { loadedHub, type Dashboards, type LoadedHub } from '../loaded-hub.ts'
import { memoryOf } from '../process-figures.ts'
import type { Figure, Row } from '../row.ts'
import { eventDelays, pollIntervals, quantile } from '../steady-state.ts'

const AGENTS = 200
const CONTAINERS = 10
const DASHBOARDS = 10
const DIALS_PER_SECOND = 150
const UP_WITHIN_MS = 60_000
/**
 * Waiting time in ms, 25 min, before the first flood of requests by the benchmark ("abuse"). Until then, the hub's memory still grows by
 * itself, from 115 to 119 MiB.
 */
const SETTLED_MS = 25 * 60_000
const ABUSE_MS = 60_000
const MINUTE_MS = 60_000
const EVENT_BAR_MS = 500
/**
 * Number of readings of the hub's memory, 12, of which the abuse benchmark uses the median. Single readings differ by 4 MiB, because V8
 * fills and collects 8 MiB of young objects.
 */
const LOOKS = 12
const LOOK_EVERY_MS = 5000
/**
 * Waiting time in ms, 2 min, after the last of the benchmark's floods of requests, until the hub has closed all their connections. Its
 * timeouts are about a minute.
 */
const CALM_MS = 120_000
/**
 * Waiting time in ms, 3 min, of the abuse benchmark after `CALM_MS` has passed, until V8 has returned memory to the system. It does so
 * about 100 s after a full garbage collection.
 */
const COLLECTED_MS = 180_000
const sources = ['127.0.0.2', '127.0.0.1'] as const

/**
 * Benchmark of a hub under seven kinds of abuse, such as floods of requests, one after the other. Each comes from a separate address and
 * then from the address of all other clients.
 */
export const abusedHub: Row = {
  id: 'X3',
  what: `hub: ${abuseNames.length} abuses, ${ABUSE_MS / 1000} s each from 127.0.0.2 and 127.0.0.1, amid ${AGENTS} agents × ${CONTAINERS} containers and ${DASHBOARDS} dashboards; X4 is its end`,
  async measure() {
    await ensureDashboard()
    await using hub = await loadedHub({ agents: AGENTS, containers: CONTAINERS, link: 'websocket', tokens: 'own' })
    await hub.bringUp(DIALS_PER_SECOND, UP_WITHIN_MS)
    const dashboards = await hub.openDashboards(DASHBOARDS)
    await wait(SETTLED_MS)
    const before = await usualResident(hub)
    const target = { port: Number(new URL(hub.url).port), session: await hub.signIn(1), largeFile: largestAsset() }
    await hub.fleet.ask({ order: 'report' })
    await dashboards.ask({})
    const figures: Figure[] = []
    let answers: readonly number[] = []
    for (const abuse of abuseNames) {
      for (const localAddress of sources) {
        const options: AbuserOptions = { ...target, localAddress, abuse, tellAfter: 0 }
        await using _abuser = startBenchProcess<object, never>(new URL('../../hub/abuse/abuser.ts', import.meta.url), options)
        const seen = await watch(hub, dashboards)
        answers = [...answers, ...seen.answers]
        figures.push(...seen.figures.map((figure) => ({ ...figure, name: `${abuse} from ${localAddress}: ${figure.name}` })))
      }
    }
    await wait(CALM_MS)
    const soonAfter = await usualResident(hub)
    await wait(COLLECTED_MS)
    const after = await usualResident(hub)
    const { open, lost } = await dashboards.ask({})
    return [
      ...figures,
      { name: 'polls missed', value: missedPolls(Float64Array.from(answers)), unit: '', bar: 0 },
      { name: 'X4: resident before', value: before, unit: 'MiB' },
      { name: 'X4: resident after 2 min', value: soonAfter, unit: 'MiB' },
      { name: 'X4: resident after 5 min', value: after, unit: 'MiB', bar: before * 1.1 },
      { name: 'X4: dashboards that are not live', value: DASHBOARDS - open, unit: '', bar: 0 },
      { name: 'X4: event streams that ended', value: lost, unit: '', bar: 0 },
    ]
  },
}

/** Resolves with the median of 12 readings of the hub's resident memory over one minute, in MiB. */
async function usualResident(hub: LoadedHub): Promise<number> {
  const seen: number[] = []
  while (seen.length < LOOKS) {
    await wait(LOOK_EVERY_MS)
    seen.push(memoryOf(hub.pid()).residentMebibytes)
  }
  return quantile(Float64Array.from(seen).toSorted(), 0.5)
}

async function watch(hub: LoadedHub, dashboards: Dashboards) {
  await wait(ABUSE_MS)
  const { answers, problems } = await hub.fleet.ask({ order: 'report' })
  const { events } = await dashboards.ask({})
  const { delaysMs } = eventDelays(answers, events, DASHBOARDS)
  const figures: readonly Figure[] = [
    { name: 'answer sent → event read, p99', value: quantile(delaysMs, 0.99), unit: 'ms', bar: EVENT_BAR_MS },
    {
      name: 'agents that lost their connection',
      value: Object.values(problems).reduce((sum, times) => sum + times, 0),
      unit: '',
      bar: 0,
    },
    { name: 'resident', value: memoryOf(hub.pid()).residentMebibytes, unit: 'MiB' },
  ]
  return { answers, figures }
}

/** Returns the number of minutes in which a system was not polled, summed over all systems, from the log of the agents' responses. */
const missedPolls = (answers: Float64Array): number =>
  pollIntervals(answers).reduce((sum, intervalMs) => sum + Math.max(0, Math.round(intervalMs / MINUTE_MS) - 1), 0)

/** Returns the URL path of the largest file among the built assets of the dashboard. */
function largestAsset(): string {
  const folder = join(root, 'web', 'dist', 'assets')
  const [largest = ''] = readdirSync(folder).toSorted((a, b) => statSync(join(folder, b)).size - statSync(join(folder, a)).size)
  return `/assets/${largest}`
}
