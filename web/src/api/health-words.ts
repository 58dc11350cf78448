import type { SystemHealth } from './system-health.ts'
import * as words from '../words/messages.js'

/** Map from a system's health (up, down, stale, paused, pending) to a function that returns its translated name, one word. */
export const healthWords: Readonly<Record<SystemHealth, () => string>> = {
  up: words.status_up,
  down: words.status_down,
  stale: words.status_stale,
  paused: words.status_paused,
  pending: words.status_pending,
}
