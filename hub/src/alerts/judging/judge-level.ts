import type { LevelKind } from './alert-kinds.ts'
import type { AlertEvent, Side } from './alert-state.ts'
import { averageOver, isBeyond, type Extreme, type Readings } from './recent-readings.ts'

/** What an alert asks for. */
export type Threshold = { readonly threshold: number; readonly minutes: number }

type Judged = {
  readonly rule: Threshold
  readonly kind: LevelKind
  /** The reading itself. */ readonly now: Extreme | undefined
  /** Its place. */ readonly at: number
}

type Level = { readonly event: Extract<AlertEvent, { kind: 'level' }>; readonly average: Extreme | undefined }

/** What a reading means to an alert, live and in a rehearsal alike. */
export function judge(readings: Readings, { rule, kind, now, at }: Judged): Level {
  const { minutes } = rule
  const average = minutes === 1 ? now : averageOver(readings, { minutes, direction: kind.direction, at })
  const sides = { now: sideOf(now, rule, kind), average: sideOf(average, rule, kind) }
  return { event: { kind: 'level', atMs: readings.times[at] ?? 0, ...sides }, average }
}

export function sideOf(extreme: Extreme | undefined, { threshold }: Threshold, { direction }: LevelKind): Side {
  if (extreme === undefined) return 'unknown'
  return isBeyond(extreme.value, threshold, direction) ? 'beyond' : 'within'
}
