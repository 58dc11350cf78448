import { sendRequest } from './client.ts'
import { numberOf, recordOf, textOf } from './json.ts'

/** Why the hub stores nothing now, and since when, epoch ms; undefined while it stores. */
export type StoringPaused = { readonly reason: 'full' | 'away'; readonly sinceMs: number | undefined }

export async function fetchStoringPaused(): Promise<StoringPaused | undefined> {
  const { state, reason, sinceMs } = recordOf(await sendRequest('GET', '/api/vedette/storing'))
  if (textOf(state) !== 'paused') return undefined
  return { reason: textOf(reason) === 'full' ? 'full' : 'away', sinceMs: numberOf(sinceMs) }
}
