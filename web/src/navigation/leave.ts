/** Time in ms, 1,000, after which a pending `history.back()` counts as failed; URL changes that wait for it are then made. */
const LONGEST_LEAVE_MS = 1_000

let hasGoneBack = true
/**
 * List of functions that change the URL and wait for a pending `history.back()` to end. `undefined` when none is pending, so that changes
 * are made at once.
 */
let waiting: (() => void)[] | undefined

/**
 * Calls `change`, which changes the URL, at once or, if `history.back()` is pending, after it. Otherwise the browser would go back from the
 * new entry.
 */
export function afterLeaving(change: () => void): void {
  if (waiting === undefined) change()
  else waiting.push(change)
}

/**
 * Goes back (`history.back()`) from an entry of the browser's history that this page has added. URL changes passed to `afterLeaving` are
 * made once that is done.
 */
export function leave(): void {
  const changes: (() => void)[] = []
  waiting = changes
  hasGoneBack = false
  const end = () => {
    if (waiting !== changes) return
    hasGoneBack = true
    waiting = undefined
    for (const change of changes) afterLeaving(change)
  }
  const onGoneBack = () => {
    hasGoneBack = true
    // The page renders the previous entry after this event.
    setTimeout(end)
  }
  addEventListener('popstate', onGoneBack, { once: true })
  setTimeout(end, LONGEST_LEAVE_MS)
  history.back()
}

/** Returns true while `history.back()` is pending, so that the current history entry is about to be left. */
export const isLeaving = (): boolean => !hasGoneBack
