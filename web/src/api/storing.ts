import { keys } from './keys.ts'
import { serverQuery } from './server-query.ts'
import { getJson } from './client.ts'
import { numberOf, recordOf, textOf } from './json.ts'

/**
 * Reason why the hub stores no samples now: `full` (its disk is full) or `away` (its database is unreachable). `sinceMs`: start in epoch
 * ms, if known.
 */
export type StoringPaused = { readonly reason: 'full' | 'away'; readonly sinceMs: number | undefined }

const fetchStoring = (signal: AbortSignal): Promise<unknown> => getJson('/api/vedette/storing', signal)

const READ_EVERY_MS = 15_000

/**
 * TanStack Query options for the question whether the hub stores samples now. The data is the unparsed JSON response, which
 * `readStoringPaused` parses.
 */
export const storingQuery = serverQuery(keys.storing, fetchStoring, { refetchInterval: READ_EVERY_MS })

/**
 * Parses whether the hub stores samples, from `/api/vedette/storing` or from an event of the topic `storing`. `undefined` while the hub
 * stores samples.
 */
export function readStoringPaused(data: unknown): StoringPaused | undefined {
  const { state, reason, sinceMs } = recordOf(data)
  if (textOf(state) !== 'paused') return undefined
  return { reason: textOf(reason) === 'full' ? 'full' : 'away', sinceMs: numberOf(sinceMs) }
}
