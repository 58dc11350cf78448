import type { History } from '../../history/model/history.ts'
import { DAY_MS, type Window } from '../../history/model/tier.ts'
import { storedOf, type LevelKind } from '../judging/alert-kinds.ts'
import {
  type AlertState,
  decide,
  firstSeverity,
  extremeAt,
  isBeyond,
  judge,
  limitOf,
  ok,
  type Readings,
  type Severity,
  sideOf,
  type Threshold,
} from '../judging/judgement.ts'
import { readingsOf } from './readings-memory.ts'

/**
 * Time range in the past in which an alert would have fired (part of a preview), with both ends in epoch ms. `endedMs` is `undefined` if
 * the alert would still be firing.
 */
export type Episode = {
  readonly beganMs: number
  readonly endedMs: number | undefined
  /**
   * Average over the alert's minutes, or the forecast or rate, in the alert's unit, at the time when the alert would have fired. A real
   * notification shows this number.
   */
  readonly value: number
  readonly target: string
  /** Highest severity that the alert would have reached; `critical` for a rule with one threshold. */
  readonly severity: Severity
}

type OpenEpisode = Omit<Episode, 'endedMs'>

/**
 * Returns the firing period in progress of a previewed alert, with the given severity: `current`, else `started`, which begins now.
 * `undefined` if there is neither.
 */
function openEpisode(current: OpenEpisode | undefined, severity: Severity, started: Omit<OpenEpisode, 'severity'> | undefined) {
  const episode = current ?? started
  return episode === undefined ? undefined : { ...episode, severity }
}

/** Evaluates a threshold rule on past values as if they were new samples. Returns the time ranges in which the alert would have fired. */
export function previewEpisodes(kind: LevelKind, rule: Threshold, readings: Readings): readonly Episode[] {
  const episodes: Episode[] = []
  const beginning = { newIncident: () => '', severity: firstSeverity({ warning: rule.warning, severity: 'critical' }) }
  let state: AlertState = ok
  let begun: OpenEpisode | undefined
  for (let at = 0; at < readings.times.length; at++) {
    const now = extremeAt(readings, at, kind.direction)
    const isFiring = state.phase === 'firing'
    const isWarning = state.phase === 'firing' && state.severity === 'warning'
    // No transition is possible: the value is beyond and the alert fires, or neither.
    if (!isWarning && (sideOf(now, limitOf(rule, isFiring), kind) === 'beyond') === isFiring) continue
    const { event, average } = judge(readings, { rule, kind, isFiring, now, at })
    const decision = decide(state, event, beginning)
    state = decision.state
    if (state.phase === 'firing') begun = openEpisode(begun, state.severity, average && { beganMs: event.atMs, ...average })
    else if (decision.change === 'resolved' && begun !== undefined) {
      episodes.push({ ...begun, endedMs: event.atMs })
      begun = undefined
    }
  }
  return begun === undefined ? episodes : [...episodes, { ...begun, endedMs: undefined }]
}

/**
 * Returns the chart line of an alert preview: for each of `count` equal parts of the window, the most extreme value of all targets. The
 * unit is that of the alert kind; null means unknown.
 */
export function sketch(
  readings: Readings,
  { direction }: LevelKind,
  { window: { fromMs, toMs }, count }: { readonly window: Window; readonly count: number },
): readonly (number | null)[] {
  const line: (number | null)[] = Array.from({ length: count }, () => null)
  for (let at = 0; at < readings.times.length; at++) {
    const most = extremeAt(readings, at, direction)
    const part = Math.min(count - 1, Math.floor((((readings.times[at] ?? 0) - fromMs) / (toMs - fromMs)) * count))
    const known = line[part]
    if (most !== undefined && (known === null || (known !== undefined && isBeyond(most.value, known, direction)))) line[part] = most.value
  }
  return line
}

/**
 * Length of the time range of one history query for an alert preview, in ms (5 days). A longer preview uses several queries, to limit
 * memory use.
 */
const SPAN_MS = 5 * DAY_MS

/**
 * Loads the values of an alert kind on one system in a time window, one per minute and target. Time ranges for which only averages over 10
 * min or 2 h are stored give no values.
 */
export async function readReadings(
  history: Pick<History, 'read'>,
  { system, kind, window: { fromMs, toMs } }: { readonly system: string; readonly kind: LevelKind; readonly window: Window },
): Promise<Readings> {
  const times: number[] = []
  const targets = new Map<string, number[]>()
  for (let startMs = fromMs; startMs < toMs; startMs += SPAN_MS) {
    const window = { fromMs: startMs, toMs: Math.min(startMs + SPAN_MS, toMs) }
    const isWanted = (key: string): boolean => kind.targetOf(key) !== undefined
    const [found] = await history.read({ systems: [system], kind: storedOf(kind), tier: '1m', window, isWanted })
    if (found === undefined) continue
    const part = readingsOf(kind, found.table)
    for (const target of part.targets.keys())
      if (!targets.has(target))
        targets.set(
          target,
          Array.from({ length: times.length }, () => Number.NaN),
        )
    for (const [target, values] of targets) {
      const more = part.targets.get(target)
      for (let at = 0; at < part.times.length; at++) values.push(more?.[at] ?? Number.NaN)
    }
    for (let at = 0; at < part.times.length; at++) times.push(part.times[at] ?? 0)
  }
  return { times, targets }
}
