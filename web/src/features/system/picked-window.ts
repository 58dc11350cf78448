import type { TimeWindow } from '../../api/stats.ts'
import { LEAST_WINDOW_MS } from './span-model.ts'

/** Both ends as their fields hold them: `2026-01-31T09:30`, in the browser's time zone. */
export type WindowDraft = { readonly from: string; readonly to: string }

export type WindowProblem = 'required' | 'future' | 'notAfter'
export type WindowProblems = { readonly from?: WindowProblem; readonly to?: WindowProblem }
type PickedWindow = { readonly window: TimeWindow } | { readonly problems: WindowProblems }

const MINUTE_MS = 60_000

const pad = (value: number, digits = 2): string => String(value).padStart(digits, '0')

/** A time as a field of date and time holds it, to the minute. */
export function fieldText(at: number): string {
  const date = new Date(at)
  const day = [pad(date.getFullYear(), 4), pad(date.getMonth() + 1), pad(date.getDate())].join('-')
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}`
}

export const draftOf = ({ fromMs, toMs }: TimeWindow): WindowDraft => ({ from: fieldText(fromMs), to: fieldText(toMs) })

/** The window between two fields, or what is wrong with each. It begins before it ends, and nothing of it is to come. */
export function windowOfDraft({ from, to }: WindowDraft, nowMs: number): PickedWindow {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)]
  // The minute that runs counts as a whole.
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

/** Whole days of the browser's time zone; a day that the clocks change is an hour shorter or longer. */
export function presetWindow(preset: PickedPreset, nowMs: number): TimeWindow {
  const startOfDay = (daysBack: number): number => {
    const date = new Date(nowMs)
    date.setDate(date.getDate() - daysBack)
    return date.setHours(0, 0, 0, 0)
  }
  if (preset === 'yesterday') return { fromMs: startOfDay(1), toMs: startOfDay(0) }
  return { fromMs: preset === 'today' ? startOfDay(0) : startOfDay(6), toMs: nowMs }
}
