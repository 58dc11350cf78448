import type { SystemHealth } from './system-health.ts'
import * as words from '../words/messages.js'

/** Translated one-word labels of the health states of a system. */
export const healthWords: Readonly<Record<SystemHealth, () => string>> = {
  up: words.status_up,
  down: words.status_down,
  stale: words.status_stale,
  paused: words.status_paused,
  pending: words.status_pending,
}
