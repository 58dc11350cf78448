import type { QuietWindow } from '../../api/notification-settings.ts'
import { fieldText, momentOf } from '../../format/date-field.ts'

type Ends = { readonly start: string; readonly end: string }

/** Quiet hours as their fields hold them: times of day (`22:00`), or dates with times. */
export type QuietDraft = {
  readonly type: QuietWindow['type']
  /** Undefined for all. */
  readonly systemId: string | undefined
  readonly daily: Ends
  readonly 'one-time': Ends
}

type ReadDraft = { readonly window: Omit<QuietWindow, 'id'> } | { readonly problem: 'end' }

const HOUR_MS = 3_600_000

/** A night, or the hour to come. */
export const quietDraft = (nowMs: number, timeZone?: string): QuietDraft => ({
  type: 'daily',
  systemId: undefined,
  daily: { start: '22:00', end: '07:00' },
  'one-time': { start: fieldText(nowMs, timeZone), end: fieldText(nowMs + HOUR_MS, timeZone) },
})

/** The window a draft means. A daily one has the times of today's clocks; one time must end after it begins. */
export function readQuietDraft({ type, systemId, ...ends }: QuietDraft, nowMs: number, timeZone?: string): ReadDraft {
  const { start, end } = ends[type]
  const today = fieldText(nowMs, timeZone).slice(0, 'YYYY-MM-DDT'.length)
  const [startMs, endMs] = [start, end].map((text) => momentOf(type === 'daily' ? `${today}${text}` : text, timeZone))
  if (startMs === undefined || endMs === undefined || Number.isNaN(startMs) || Number.isNaN(endMs) || startMs === endMs)
    return { problem: 'end' }
  return type === 'one-time' && endMs < startMs ? { problem: 'end' } : { window: { type, systemId, startMs, endMs } }
}
