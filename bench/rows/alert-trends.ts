import { performance } from 'node:perf_hooks'
import { scratchFolder } from '../../e2e/programs.ts'
import { levelKind } from '../../hub/src/alerts/judging/alert-kinds.ts'
import type { AlertRule } from '../../hub/src/alerts/judging/judgement.ts'
import { evaluateTrends } from '../../hub/src/alerts/trends/trend-evaluation.ts'
import { previewTrends } from '../../hub/src/alerts/trends/trend-preview.ts'
import { historyStore } from '../../hub/src/history/history-store.ts'
import { storePastValues } from '../../hub/test/past-history.ts'
import type { Row } from '../row.ts'
import { quantile } from '../steady-state.ts'
import { log, taggedFleet } from '../tagged-fleet.ts'

const WATCHED = 200
const SYSTEMS_AT_ONCE = 20
const ROUNDS = 5
const TWO_HOURS_MS = 7_200_000
const DAYS = 30

const ruleOn = (system: string, name: string): AlertRule => ({
  id: `${name} ${system}`,
  owner: 'ann',
  system,
  name,
  target: '',
  threshold: name === 'DiskForecast' ? 1 : 100,
  minutes: 10,
  severity: 'critical',
  isFiring: false,
  isWarning: false,
  isInherited: false,
})

/**
 * Benchmark of alerts that compare a forecast or a rate of change. It measures one evaluation of a system with three disks, and a preview
 * of 30 days.
 */
export const alertTrends: Row = {
  id: 'H13',
  what: `hub: alerts that look ahead, ${WATCHED} systems with 3 disks, SQLite`,
  async measure() {
    await using stack = new AsyncDisposableStack()
    const { engine, bus, systems } = stack.use(await taggedFleet(stack.use(scratchFolder()).path, 'tag'))
    const untilMs = Math.floor(Date.now() / TWO_HOURS_MS) * TWO_HOURS_MS
    const clock = { now: () => untilMs }
    const history = historyStore({ db: engine.database, clock, bus, log })
    const watched = systems.slice(0, WATCHED).map(({ id }) => id)
    for (const [at, system] of watched.entries())
      await storePastValues(history, {
        system,
        untilMs,
        days: at === 0 ? DAYS : 7,
        valuesAt: (hour) => ({
          'disk.usedPercent': 50 + Math.sin(hour) + hour / 100,
          'filesystem./srv.usedPercent': 60,
          'filesystem./var.usedPercent': 70 + Math.cos(hour * 3),
        }),
      })

    /**
     * Evaluates the alert rules of one alert kind, such as `DiskForecast`, on the 200 watched systems, in batches as the hub does. Resolves
     * to the median over the rounds of the time per system in ms.
     */
    async function evaluated(name: string): Promise<number> {
      const kind = levelKind(name)
      if (kind === undefined) throw new RangeError(`There is no alert kind "${name}"`)
      const times: number[] = []
      for (let round = -1; round < ROUNDS; round++) {
        const from = performance.now()
        for (let first = 0; first < WATCHED; first += SYSTEMS_AT_ONCE) {
          const some = watched.slice(first, first + SYSTEMS_AT_ONCE)
          const bySystem = new Map(some.map((system) => [system, [ruleOn(system, name)]]))
          await evaluateTrends({ history, kysely: engine.database.kysely, nowMs: untilMs }, { kind, bySystem })
        }
        if (round >= 0) times.push((performance.now() - from) / WATCHED)
      }
      return quantile(Float64Array.from(times).toSorted(), 0.5)
    }

    async function previewed(name: string): Promise<number> {
      const kind = levelKind(name)
      if (kind === undefined) throw new RangeError(`There is no alert kind "${name}"`)
      const window = { fromMs: untilMs - DAYS * 12 * TWO_HOURS_MS, toMs: untilMs }
      const from = performance.now()
      await previewTrends(history, { system: watched[0] ?? '', kind, rule: { threshold: 48, minutes: 10 }, window, count: 240 })
      return performance.now() - from
    }

    return [
      { name: 'evaluation of the forecasts of a system', value: await evaluated('DiskForecast'), unit: 'ms', bar: 10 },
      { name: 'evaluation of the rates of a system', value: await evaluated('DiskRate'), unit: 'ms', bar: 2 },
      { name: `preview of a forecast over ${DAYS} days`, value: await previewed('DiskForecast'), unit: 'ms', bar: 5000 },
    ]
  },
}
