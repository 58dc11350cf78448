import type { QuietWindow } from '../../api/notification-settings.ts'
import { fieldText, momentOf } from '../../format/date-field.ts'

type Ends = { readonly start: string; readonly end: string }

/**
 * Form values of quiet hours (a time range without notifications): type, system, and typed start and end. Type `daily` has times of day
 * such as `22:00`, `one-time` a date with time.
 */
export type QuietDraft = {
  readonly type: QuietWindow['type']
  /** Id of the system whose notifications the quiet hours mute; `undefined` = all systems. */
  readonly systemId: string | undefined
  readonly daily: Ends
  /**
   * Typed texts in the start and end fields of one-time quiet hours. An absent text means that the field shows its default, now or an hour
   * later.
   */
  readonly 'one-time': Partial<Ends>
}

type ReadDraft = { readonly window: Omit<QuietWindow, 'id'> } | { readonly problem: 'end' }

const HOUR_MS = 3_600_000

/** Initial form values for new quiet hours (time range without notifications): daily, 22:00 to 07:00, for all systems. */
export const quietDraft: QuietDraft = { type: 'daily', systemId: undefined, daily: { start: '22:00', end: '07:00' }, 'one-time': {} }

/**
 * Returns the texts to show in the start and end fields of quiet hours: those typed. For one-time quiet hours without typed texts they are
 * now (`nowMs`, epoch ms) and an hour later, in `timeZone`.
 */
export const shownEnds = ({ type, ...ends }: QuietDraft, nowMs: number, timeZone: string): Ends =>
  type === 'daily' ? ends.daily : { start: fieldText(nowMs, timeZone), end: fieldText(nowMs + HOUR_MS, timeZone), ...ends['one-time'] }

/**
 * Converts the form values of quiet hours to `{ window }` for the hub. Returns `{ problem: 'end' }` when a daily one has equal or empty
 * times, or a one-time one does not end after its start.
 */
export function readQuietDraft(draft: QuietDraft, nowMs: number, timeZone: string): ReadDraft {
  const { type, systemId } = draft
  const { start, end } = shownEnds(draft, nowMs, timeZone)
  if (type === 'daily') return start === '' || end === '' || start === end ? { problem: 'end' } : { window: { type, systemId, start, end } }
  const [startMs, endMs] = [momentOf(start, timeZone), momentOf(end, timeZone)]
  if (!(startMs < endMs)) return { problem: 'end' }
  return { window: { type, systemId, start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() } }
}
