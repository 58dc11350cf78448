import { setTimeout as wait } from 'node:timers/promises'
import { loadedHub } from '../loaded-hub.ts'
import type { Row } from '../row.ts'
import { circumstances, eventDelays, measureSteady, quantile, type Steady } from '../steady-state.ts'

/** Days of stored history before the benchmark's backup: 9, which is 1 GB for 1,000 systems. */
const DAYS = 9
const load = { agents: 1000, containers: 10, link: 'websocket', tokens: 'own', storedDays: DAYS } as const

const DIALS_PER_SECOND = 150
const UP_WITHIN_MS = 150_000
const SETTLED_MS = 90_000
const MEASURED_MS = 60_000

/** Benchmark of a backup under load: by how much the backup delays samples, measured by when their events arrive at a dashboard. */
export const backupUnderLoad: Row = {
  id: 'B1',
  what: `hub: a backup while 1,000 systems are taken in, ${DAYS} days stored`,
  async measure() {
    await using hub = await loadedHub(load)
    await hub.bringUp(DIALS_PER_SECOND, UP_WITHIN_MS)
    const dashboards = await hub.openDashboards(1)
    await wait(SETTLED_MS)
    const delaysOf = ({ answers, events }: Steady) => eventDelays(answers, events, 1).delaysMs
    const quiet = delaysOf(await measureSteady(hub, MEASURED_MS, dashboards))
    const authorization = await hub.signIn(0)
    const ask = async (method: string): Promise<Response> => {
      const answer = await fetch(`${hub.url}/api/backups`, { method, headers: { authorization } })
      if (!answer.ok) throw new Error(`${method} /api/backups is answered with ${answer.status}: ${await answer.text()}`)
      return answer
    }
    const measuring = measureSteady(hub, MEASURED_MS, dashboards)
    const startedAtMs = performance.now()
    await ask('POST')
    const tookMs = performance.now() - startedAtMs
    const steady = await measuring
    const busy = delaysOf(steady)
    const [made] = (await (await ask('GET')).json()) as readonly { readonly size: number }[] // what this route answers
    return [
      { name: 'the backup', value: (made?.size ?? Number.NaN) / 1e9, unit: 'GB' },
      { name: 'made in', value: tookMs / 1000, unit: 's' },
      { name: 'answer → event without it: p99', value: quantile(quiet, 0.99), unit: 'ms' },
      { name: 'longest', value: quantile(quiet, 1), unit: 'ms' },
      { name: 'answer → event in its minute: p99', value: quantile(busy, 0.99), unit: 'ms' },
      { name: 'longest in its minute, more than without', value: quantile(busy, 1) - quantile(quiet, 1), unit: 'ms', bar: 100 },
      ...circumstances(steady),
    ]
  },
}
