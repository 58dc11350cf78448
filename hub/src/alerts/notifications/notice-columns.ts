import { GROUPED } from '../messages/grouping-window.ts'

/** States of a notification that is kept back: by quiet hours (`held`), by an outage that explains it (`silenced`, then `outlasting`). */
export const keptBackStates: readonly string[] = ['held', 'silenced', 'outlasting']

/** States of a stored notification that was not queued for delivery yet: `new`, kept back, or in a grouping window. */
export const openStates: readonly string[] = ['new', ...keptBackStates, GROUPED]

/** Transition of a notification that a warning became critical, or that a drive's health got worse. */
export const WORSE = 'worse'

/** Start of the transition of a reminder. Its number follows, because an incident has at most one notification for each transition. */
export const REMINDER = 'reminder-'
