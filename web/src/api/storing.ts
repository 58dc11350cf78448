import { keys } from './keys.ts'
import { serverQuery } from './server-query.ts'
import { getJson } from './client.ts'
import { numberOf, recordOf, textOf } from './json.ts'

/**
 * Why the hub does not store samples at present: `full` (its disk is full) or `away` (its database cannot be reached). `sinceMs` is the
 * start of this state in epoch ms, `undefined` when unknown.
 */
export type StoringPaused = { readonly reason: 'full' | 'away'; readonly sinceMs: number | undefined }

const fetchStoring = (signal: AbortSignal): Promise<unknown> => getJson('/api/vedette/storing', signal)

const READ_EVERY_MS = 15_000

/**
 * TanStack Query options for whether the hub stores samples now. The data is the unparsed JSON response, which `readStoringPaused` parses.
 * Fetched again every 15 s.
 */
export const storingQuery = serverQuery(keys.storing, fetchStoring, { refetchInterval: READ_EVERY_MS })

/**
 * Parses the hub's statement whether it stores samples, from `/api/vedette/storing` or a realtime event of the topic `storing`. Returns
 * `undefined` while it stores them, else the reason and since when.
 */
export function readStoringPaused(data: unknown): StoringPaused | undefined {
  const { state, reason, sinceMs } = recordOf(data)
  if (textOf(state) !== 'paused') return undefined
  return { reason: textOf(reason) === 'full' ? 'full' : 'away', sinceMs: numberOf(sinceMs) }
}
