import { setImmediate as othersTurn } from 'node:timers/promises'
import type { History } from '../../history/model/history.ts'
import { DAY_MS, HOUR_MS, type Window } from '../../history/model/tier.ts'
import type { LevelKind } from '../judging/alert-kinds.ts'
import { type AlertState, decide, firstSeverity, isBeyond, ok, type Readings, type Threshold } from '../judging/judgement.ts'
import { longestMinutes } from '../rules/readings-memory.ts'
import { readReadings, type Episode } from '../rules/alert-preview.ts'
import { WEEK_RANGE_MS } from './fill-forecast.ts'
import { readTrendRange, trendsAt, type TrendHistory } from './trend-history.ts'
import { judgeTrendRule, type TrendJudgement } from './trend-judgement.ts'

/** Preview of a rule on a forecast or rate: the time ranges in which it would have fired, and the values of the chart line. */
export type TrendPreview = {
  /**
   * Start of the previewed time in epoch ms: the first stored value of the requested time. It is the start of the requested time if there
   * is none.
   */
  readonly fromMs: number
  /** Number of minutes in the previewed time for which values are stored. */
  readonly minutes: number
  readonly episodes: readonly Episode[]
  /**
   * Values of the chart line: the most extreme of all targets in each of equal parts of the time, in the alert kind's unit. Null: unknown
   * or too uncertain. Hours above 4 times the threshold are cut.
   */
  readonly line: readonly (number | null)[]
}

type TrendQuery = {
  readonly system: string
  readonly kind: LevelKind
  readonly rule: Threshold
  readonly window: Window
  /** Number of values of the chart line, which is also the number of equal parts of the time. */
  readonly count: number
}

const MINUTE_MS = 60_000
/**
 * Number of evaluations, 5, of a rate of change for which a preview aims within the rule's minutes. A rule over 10 minutes is evaluated
 * every 2; steps are at least one minute.
 */
const EVALUATIONS_IN_MINUTES = 5
/**
 * Maximum number of evaluations of one preview, for all targets together: 40,000 rates or 4,000 forecasts, each about 2 s of work. With
 * more targets the steps become longer.
 */
const MOST_EVALUATIONS = { rate: 40_000, forecast: 4_000 } as const
/** Number of evaluations, 50, after which a preview lets the event loop do other work. */
const EVALUATIONS_A_TURN = 50
/**
 * Multiple of the threshold, 4, at which hours in a preview's chart line are cut. Otherwise "in a year" would make the threshold invisible.
 */
const MOST_OF_THRESHOLD = 4

/**
 * Evaluates a rule on a forecast or rate at past times of a system, each by earlier values only. Resolves to the time ranges in which it
 * would have fired, and the chart line. Steps are an hour for a forecast, some minutes for a rate, longer with many targets.
 */
export async function previewTrends(history: Pick<History, 'read'>, query: TrendQuery): Promise<TrendPreview> {
  const { kind, rule, window, count } = query
  const stored = await readPast(history, query)
  const { readings, minutesEach } = known(stored)
  const first = Array.prototype.findIndex.call(readings.times, (time: number) => time >= window.fromMs)
  const fromMs = first === -1 ? window.fromMs : Math.max(window.fromMs, readings.times[first] ?? 0)
  const previewed = { fromMs, toMs: window.toMs }
  const line: (number | null)[] = Array.from({ length: count }, () => null)
  const firing = firingPeriods(rule)
  let evaluations = 0
  for (const nowMs of stepsOf(previewed, stepMs(query, readings.targets.size))) {
    const judged = judgeTrendRule(kind, (minutes) => trendsAt(kind, stored, { nowMs, minutes }), rule, firing.now())
    firing.note(nowMs, judged)
    draw(line, query, { judged, place: Math.min(count - 1, Math.floor(((nowMs - fromMs) / (window.toMs - fromMs)) * count)) })
    if (++evaluations % EVALUATIONS_A_TURN === 0) await othersTurn()
  }
  return { fromMs, minutes: first === -1 ? 0 : (readings.times.length - first) * minutesEach, episodes: firing.episodes(), line }
}

/**
 * Creates a recorder for a preview. `note` takes the judgements in ascending time; `now` returns whether the alert fires, `episodes` the
 * time ranges in which it fired.
 */
function firingPeriods({ warning }: Threshold) {
  const beginning = { newIncident: () => '', severity: firstSeverity({ warning, severity: 'critical' }) }
  const over: Episode[] = []
  let state: AlertState = ok
  let begun: Omit<Episode, 'endedMs'> | undefined
  return {
    now: () => ({ isFiring: state.phase === 'firing', firedBy: begun?.target }),
    note(atMs: number, { side, value = 0, target = '', isCritical }: ReturnType<typeof judgeTrendRule>): void {
      const event = { kind: 'level', atMs, now: side, average: side, ...(isCritical === true ? { isCritical } : {}) } as const
      const decision = decide(state, event, beginning)
      state = decision.state
      if (state.phase === 'firing') begun = { beganMs: atMs, value, target, ...begun, severity: state.severity }
      if (decision.change !== 'resolved' || begun === undefined) return
      over.push({ ...begun, endedMs: atMs })
      begun = undefined
    },
    episodes: (): readonly Episode[] => (begun === undefined ? over : [...over, { ...begun, endedMs: undefined }]),
  }
}

async function readPast(history: Pick<History, 'read'>, { system, kind, rule, window }: TrendQuery): Promise<TrendHistory> {
  if (kind.trend === 'rate') {
    const past = { fromMs: window.fromMs - longestMinutes(rule) * MINUTE_MS, toMs: window.toMs }
    return { '1m': await readReadings(history, { system, kind, window: past }) }
  }
  const read = async (tier: '10m' | '2h', rangeMs: number): Promise<Readings | undefined> =>
    (await readTrendRange(history, { systems: [system], kind, tier, window: { ...window, fromMs: window.fromMs - rangeMs } })).get(system)
  const [tens, hours] = [await read('10m', DAY_MS), await read('2h', WEEK_RANGE_MS)]
  return { ...(tens && { '10m': tens }), ...(hours && { '2h': hours }) }
}

/**
 * Returns the stored values of the finest loaded resolution as `readings`, and `minutesEach`, for how many minutes each counts: 1 or 10. A
 * preview begins at their first time.
 */
function known({ '1m': samples, '10m': tens }: TrendHistory): { readonly readings: Readings; readonly minutesEach: number } {
  if (samples !== undefined) return { readings: samples, minutesEach: 1 }
  return { readings: tens ?? { times: [], targets: new Map() }, minutesEach: 10 }
}

function stepMs({ kind, rule, window }: TrendQuery, targets: number): number {
  const most = MOST_EVALUATIONS[kind.trend ?? 'rate']
  const wanted = kind.trend === 'rate' ? Math.max(1, Math.floor(rule.minutes / EVALUATIONS_IN_MINUTES)) * MINUTE_MS : HOUR_MS
  return Math.max(wanted, Math.ceil(((window.toMs - window.fromMs) * Math.max(1, targets)) / most))
}

/**
 * Generates the times (epoch ms) at which a preview evaluates a rule: ascending, `step` ms apart, within the window. The last one is the
 * end of the window.
 */
function* stepsOf({ fromMs, toMs }: Window, step: number): Generator<number> {
  for (let left = Math.floor((toMs - fromMs) / step); left >= 0; left--) yield toMs - left * step
}

function draw(
  line: (number | null)[],
  { kind, rule }: TrendQuery,
  { judged, place }: { readonly judged: TrendJudgement; readonly place: number },
): void {
  if (judged.side === 'unknown') return
  const cut = rule.threshold * MOST_OF_THRESHOLD
  const value = kind.trend === 'rate' ? (judged.value ?? 0) : Math.min(cut, judged.value ?? cut)
  const before = line[place] ?? undefined
  if (before === undefined || isBeyond(value, before, kind.direction)) line[place] = value
}
