import { keys } from './keys.ts'
import { serverQuery } from './server-query.ts'
import { getJson } from './client.ts'
import { numberOf, recordOf, textOf } from './json.ts'

/** Why the hub stores nothing now, and since when, epoch ms; undefined while it stores. */
export type StoringPaused = { readonly reason: 'full' | 'away'; readonly sinceMs: number | undefined }

const fetchStoring = (signal: AbortSignal): Promise<unknown> => getJson('/api/vedette/storing', signal)

const READ_EVERY_MS = 15_000

/** Whether the hub stores samples, as the hub responds; `readStoringPaused` reads it. */
export const storingQuery = serverQuery(keys.storing, fetchStoring, { refetchInterval: READ_EVERY_MS })

/** Reads the response of `fetchStoring`, or an event of the topic `storing`. */
export function readStoringPaused(data: unknown): StoringPaused | undefined {
  const { state, reason, sinceMs } = recordOf(data)
  if (textOf(state) !== 'paused') return undefined
  return { reason: textOf(reason) === 'full' ? 'full' : 'away', sinceMs: numberOf(sinceMs) }
}
