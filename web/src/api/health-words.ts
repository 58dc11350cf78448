import type { SystemHealth } from './system-health.ts'
import * as words from '../words/messages.js'

/** Map from health state (up, down, stale, paused, pending) to a function that returns its translated one-word label. */
export const healthWords: Readonly<Record<SystemHealth, () => string>> = {
  up: words.status_up,
  down: words.status_down,
  stale: words.status_stale,
  paused: words.status_paused,
  pending: words.status_pending,
}
