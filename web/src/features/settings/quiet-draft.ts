import type { QuietWindow } from '../../api/notification-settings.ts'
import { fieldText, momentOf } from '../../format/date-field.ts'

type Ends = { readonly start: string; readonly end: string }

/** Quiet hours as their fields hold them: times of day (`22:00`), or dates with times. */
export type QuietDraft = {
  readonly type: QuietWindow['type']
  /** Undefined for all. */
  readonly systemId: string | undefined
  readonly daily: Ends
  /** Without one, the hour to come. */
  readonly 'one-time': Partial<Ends>
}

type ReadDraft = { readonly window: Omit<QuietWindow, 'id'> } | { readonly problem: 'end' }

const HOUR_MS = 3_600_000

/** A night. */
export const quietDraft: QuietDraft = { type: 'daily', systemId: undefined, daily: { start: '22:00', end: '07:00' }, 'one-time': {} }

/** The texts of the fields in a time zone. */
export const shownEnds = ({ type, ...ends }: QuietDraft, nowMs: number, timeZone: string): Ends =>
  type === 'daily' ? ends.daily : { start: fieldText(nowMs, timeZone), end: fieldText(nowMs + HOUR_MS, timeZone), ...ends['one-time'] }

/** The window that a draft means in a time zone. The two times of a daily one differ; one time must end after it begins. */
export function readQuietDraft(draft: QuietDraft, nowMs: number, timeZone: string): ReadDraft {
  const { type, systemId } = draft
  const { start, end } = shownEnds(draft, nowMs, timeZone)
  if (type === 'daily') return start === '' || end === '' || start === end ? { problem: 'end' } : { window: { type, systemId, start, end } }
  const [startMs, endMs] = [momentOf(start, timeZone), momentOf(end, timeZone)]
  if (!(startMs < endMs)) return { problem: 'end' }
  return { window: { type, systemId, start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() } }
}
