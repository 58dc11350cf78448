/** As many messages of their own a minute; what comes beyond them comes together in one more. */
export const MOST_A_MINUTE = 10
const MINUTE_MS = 60_000

/** What of the notices that are due is told now: each on its own, many in one, and what waits until `restDueMs`. */
export type Allowed<Notice> = {
  readonly single: readonly Notice[]
  readonly together: readonly Notice[]
  readonly rest: readonly Notice[]
  readonly restDueMs: number
}

/** `recent`: how many notices the person was told of in the minute before. */
export function allowed<Notice>(notices: readonly Notice[], recent: number, nowMs: number): Allowed<Notice> {
  const room = Math.max(0, MOST_A_MINUTE - recent)
  const [single, others] = [notices.slice(0, room), notices.slice(room)]
  // More than could come on their own: they came together, and not twice in a minute.
  const hadTogether = recent > MOST_A_MINUTE
  return { single, together: hadTogether ? [] : others, rest: hadTogether ? others : [], restDueMs: nowMs + MINUTE_MS }
}
