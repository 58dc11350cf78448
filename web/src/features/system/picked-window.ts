import type { TimeWindow } from '../../api/stats.ts'
import { fieldText, momentOf } from '../../format/date-field.ts'
import { epochOf, wallTimeAt } from '../../format/zoned-time.ts'
import { LEAST_WINDOW_MS } from './span-model.ts'

/** Texts in the date-time fields for the charts' start and end: local times such as `2026-01-31T09:30`, in the user's time zone. */
export type WindowDraft = { readonly from: string; readonly to: string }

export type WindowProblem = 'required' | 'future' | 'notAfter'
export type WindowProblems = { readonly from?: WindowProblem; readonly to?: WindowProblem }
type PickedWindow = { readonly window: TimeWindow } | { readonly problems: WindowProblems }

const MINUTE_MS = 60_000

/**
 * Returns the texts of the date-time fields for the time window that the charts show. The end is at most that of the current minute,
 * although charts of a new system may end later.
 */
export const draftOfShown = ({ fromMs, toMs }: TimeWindow, nowMs: number, timeZone?: string): WindowDraft =>
  windowDraftOf({ fromMs, toMs: Math.min(toMs, nowMs + MINUTE_MS) }, timeZone)

export const windowDraftOf = ({ fromMs, toMs }: TimeWindow, timeZone?: string): WindowDraft => ({
  from: fieldText(fromMs, timeZone),
  to: fieldText(toMs, timeZone),
})

/**
 * Parses the texts of the two date-time fields. Returns `{ window }`, or `{ problems }` with the name of a problem for each invalid field.
 * A window has at least 10 s and does not end after the current minute.
 */
export function windowOfDraft({ from, to }: WindowDraft, nowMs: number, timeZone?: string): PickedWindow {
  const [fromMs, toMs] = [momentOf(from, timeZone), momentOf(to, timeZone)]
  // The current minute counts in full.
  const latestMs = nowMs + MINUTE_MS
  const problemOf = (at: number): WindowProblem | undefined => {
    if (Number.isNaN(at)) return 'required'
    return at > latestMs ? 'future' : undefined
  }
  const [fromProblem, toProblem] = [problemOf(fromMs), problemOf(toMs) ?? (toMs - fromMs < LEAST_WINDOW_MS ? 'notAfter' : undefined)]
  if (fromProblem === undefined && toProblem === undefined) return { window: { fromMs, toMs } }
  return {
    problems: { ...(fromProblem === undefined ? {} : { from: fromProblem }), ...(toProblem === undefined ? {} : { to: toProblem }) },
  }
}

export const pickedPresets = ['today', 'yesterday', 'week'] as const
export type PickedPreset = (typeof pickedPresets)[number]

/**
 * Returns the time window in epoch ms of a preset in the window dialog, such as `yesterday`. It has whole days in the time zone, also where
 * clocks change. `today` and `week` (7 days including today) end now.
 */
export function presetWindow(preset: PickedPreset, nowMs: number, timeZone?: string): TimeWindow {
  const today = wallTimeAt(nowMs, timeZone)
  const startOfDay = (daysBack: number): number => epochOf({ ...today, day: today.day - daysBack, hour: 0, minute: 0 }, timeZone)
  if (preset === 'yesterday') return { fromMs: startOfDay(1), toMs: startOfDay(0) }
  return { fromMs: preset === 'today' ? startOfDay(0) : startOfDay(6), toMs: nowMs }
}
