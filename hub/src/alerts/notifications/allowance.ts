/** Single messages per person and minute. Further notifications are sent together in one digest. */
export const MOST_A_MINUTE = 10
const MINUTE_MS = 60_000

/** Due notifications, split: `single` are sent one by one, `together` in one digest, and `rest` waits until `restDueMs` (epoch ms). */
export type Allowed<Notice> = {
  readonly single: readonly Notice[]
  readonly together: readonly Notice[]
  readonly rest: readonly Notice[]
  readonly restDueMs: number
}

/** Applies the limit per minute. `recent` is the number of notifications sent to the person in the last minute. */
export function allowed<Notice>(notices: readonly Notice[], recent: number, nowMs: number): Allowed<Notice> {
  const room = Math.max(0, MOST_A_MINUTE - recent)
  const [single, others] = [notices.slice(0, room), notices.slice(room)]
  // More than the limit means that a digest was sent. There is at most one digest a minute.
  const hadTogether = recent > MOST_A_MINUTE
  return { single, together: hadTogether ? [] : others, rest: hadTogether ? others : [], restDueMs: nowMs + MINUTE_MS }
}
