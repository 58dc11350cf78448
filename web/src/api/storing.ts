import { getJson } from './client.ts'
import { numberOf, recordOf, textOf } from './json.ts'

/** Why the hub stores nothing now, and since when, epoch ms; undefined while it stores. */
export type StoringPaused = { readonly reason: 'full' | 'away'; readonly sinceMs: number | undefined }

export const fetchStoring = (signal: AbortSignal): Promise<unknown> => getJson('/api/vedette/storing', signal)

/** Reads the response of `fetchStoring`, or an event of the topic `storing`. */
export function readStoringPaused(data: unknown): StoringPaused | undefined {
  const { state, reason, sinceMs } = recordOf(data)
  if (textOf(state) !== 'paused') return undefined
  return { reason: textOf(reason) === 'full' ? 'full' : 'away', sinceMs: numberOf(sinceMs) }
}
