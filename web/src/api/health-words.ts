import type { SystemHealth } from './system-health.ts'
import * as words from '../words/messages.js'

/** Functions that return the translated one-word label of a health state, by state: up, down, stale, paused, pending. */
export const healthWords: Readonly<Record<SystemHealth, () => string>> = {
  up: words.status_up,
  down: words.status_down,
  stale: words.status_stale,
  paused: words.status_paused,
  pending: words.status_pending,
}
