/** Going back takes a moment; a browser that has not gone back after this will not. */
const LONGEST_LEAVE_MS = 1_000

let hasGoneBack = true
/** Changes of the address that were asked for while the browser goes back. */
let waiting: (() => void)[] | undefined

/** Changes the address: at once, or when the browser has gone back. Before that it would go back from the new history entry to the one that is left. */
export function afterLeaving(change: () => void): void {
  if (waiting === undefined) change()
  else waiting.push(change)
}

/** Goes back from a history entry that this page has added. */
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
    // The page shows the entry that it came back to once this event has been handled.
    setTimeout(end)
  }
  addEventListener('popstate', onGoneBack, { once: true })
  setTimeout(end, LONGEST_LEAVE_MS)
  history.back()
}

/** Whether the browser shows an entry that it is about to leave. */
export const isLeaving = (): boolean => !hasGoneBack
