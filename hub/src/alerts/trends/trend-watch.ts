import type { History } from '../../history/model/history.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop } from '../../platform/loop.ts'
import { levelKinds, type LevelKind } from '../judging/alert-kinds.ts'
import type { AlertRule } from '../judging/judgement.ts'
import type { AlertWatch } from '../rules/alert-watch.ts'

type TrendParts = {
  readonly database: Database
  readonly history: Pick<History, 'read'>
  readonly clock: Clock
  readonly watch: Pick<AlertWatch, 'rules' | 'decideTrends'>
  readonly log: Log
  /** Returns true if this hub is responsible for the system (by id). Other hubs evaluate the other systems' alerts. */
  readonly owns: (system: string) => boolean
  readonly firstMs?: number
}

/** Background loop that evaluates forecasts and rates of change. `run` evaluates those that are due now. */
export type TrendWatch = AsyncDisposable & { readonly run: () => Promise<void> }

/** Delay in ms (10 s) after a hub start before forecasts and rates of change are evaluated. It does not delay the first samples then. */
const FIRST_MS = 10_000
/** Interval in ms (1 min) between evaluations of forecasts and rates, the same as between samples. */
const ROUND_MS = 60_000
/**
 * Number of evaluation rounds, 10 (one per minute), after which a forecast is evaluated again. The history has a new value every 10 min.
 */
const FORECAST_ROUNDS = 10
/**
 * Maximum number of systems for which one evaluation round, each minute, computes the forecasts of one alert kind: 600. 5,000 systems then
 * need 9 rounds.
 */
const MOST_FORECASTS = 600
/** Number of systems whose history one query of the evaluation of trends reads: 20, to limit memory use. */
const SYSTEMS_AT_ONCE = 20

const noSystems: ReadonlySet<string> = new Set()

const trendKinds = levelKinds.filter(({ trend }) => trend !== undefined)

/**
 * Starts the loop that evaluates alert rules on forecasts and rates of change by the stored history. Rates are evaluated every minute, and
 * forecasts every 10 minutes. Returns the running loop.
 */
export function watchTrends({ database, history, clock, watch, log, owns, firstMs = FIRST_MS }: TrendParts): TrendWatch {
  /**
   * Map from a text of alert kind and system id to the number of the round in which that forecast or rate was last evaluated. There is one
   * round per minute.
   */
  const evaluated = new Map<string, number>()
  let round = 0

  /**
   * Returns the alert rules of one kind to evaluate in this round, as pairs of system id and rules. Rates are evaluated in each round;
   * forecasts after 10 rounds, oldest first, at most 600 systems.
   */
  function dueRules(kind: LevelKind): readonly (readonly [string, readonly AlertRule[]])[] {
    const all = [...watch.rules].flatMap(([system, rules]) => {
      const some = rules.get(kind.name)
      return some === undefined || !owns(system) ? [] : [[system, some] as const]
    })
    if (kind.trend === 'rate') return all
    const lastRound = ([system]: (typeof all)[number]): number => evaluated.get(`${kind.name} ${system}`) ?? Number.NEGATIVE_INFINITY
    return all
      .filter((one) => round - lastRound(one) >= FORECAST_ROUNDS)
      .toSorted((one, other) => (lastRound(one) < lastRound(other) ? -1 : lastRound(one) > lastRound(other) ? 1 : 0))
      .slice(0, MOST_FORECASTS)
  }

  /**
   * Evaluates the rules of one kind (by system id) and applies the events. Resolves to the ids of those systems whose events were not
   * applied, because this hub may not decide now or storing failed.
   */
  async function evaluate(kind: LevelKind, rules: ReadonlyMap<string, readonly AlertRule[]>): Promise<ReadonlySet<string>> {
    // Loaded when the first rule of such a kind exists.
    const { evaluateTrends } = await import('./trend-evaluation.ts')
    const parts = { history, kysely: database.kysely, nowMs: clock.now() }
    const undecided = new Set<string>()
    for (const [system, events] of await evaluateTrends(parts, { kind, bySystem: rules })) {
      const isDecided = await database
        .write((unit) => watch.decideTrends(unit, system, events))
        .catch((error: unknown) => {
          log.error('trends not evaluated', { kind: kind.name, error })
          return false
        })
      if (!isDecided) undecided.add(system)
    }
    return undecided
  }

  async function work(signal: AbortSignal): Promise<number> {
    round += 1
    for (const kind of trendKinds) {
      const due = dueRules(kind)
      for (let first = 0; first < due.length && !signal.aborted; first += SYSTEMS_AT_ONCE) {
        const some = due.slice(first, first + SYSTEMS_AT_ONCE)
        // The history of some systems may be damaged. It must not cost others their alerts.
        const undecided = await evaluate(kind, new Map(some)).catch((error: unknown) => {
          log.error('trends not evaluated', { kind: kind.name, error })
          return noSystems
        })
        // The others are evaluated again in the next round.
        const decided = some.filter(([system]) => !undecided.has(system))
        for (const [system] of decided) evaluated.set(`${kind.name} ${system}`, round)
      }
    }
    if (evaluated.size > MOST_REMEMBERED) evaluated.clear()
    return ROUND_MS
  }

  return startLoop({ work, onError: (error) => log.error('trends not evaluated', { error }), firstMs, retryMs: ROUND_MS })
}

/**
 * Maximum size of the map with the last evaluation of each forecast and rate, 100,000. A larger map is cleared, because entries of deleted
 * systems stay in it. Everything is then evaluated in the next round.
 */
const MOST_REMEMBERED = 100_000
