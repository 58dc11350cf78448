import type { QueryKey } from '@tanstack/react-query'
import { getJson } from './client.ts'
import { listOf, numberOf, recordOf, textOf } from './json.ts'
import { keys } from './keys.ts'
import { serverQuery } from './server-query.ts'
import { RequestFailed } from './request-failed.ts'

const kinds = [
  'up',
  'down',
  'paused',
  'resumed',
  'restarted',
  'hub-started',
  'hub-stopped',
  'container-exited',
  'container-out-of-memory',
] as const

/**
 * An event of a system, of one of its containers, or of the hub that watches it. `at`: epoch ms. `text`: the reason, or `''`. `exitCode` is
 * undefined for a container that runs on, and where it is unknown.
 */
export type SystemEvent = {
  readonly at: number
  readonly kind: (typeof kinds)[number]
  readonly text: string
  readonly container?: string
  readonly exitCode?: number
}

/** Without `toMs` up to now. */
type EventWindow = { readonly fromMs: number; readonly toMs: number | undefined }

const NOT_FOUND = 404

/** A window moves with every sample: what was read of the one before stands there until the next is read. The system's id is second in the key. */
export const ofSameSystem =
  (systemId: string) =>
  <T>(previous: T | undefined, query: { readonly queryKey: QueryKey } | undefined): T | undefined =>
    query?.queryKey[1] === systemId ? previous : undefined

/** Stored events of a system, oldest first; null from a hub without this endpoint. Read again when `status` changes. */
export const systemEventsQuery = (systemId: string, status: string, window: EventWindow) =>
  serverQuery(keys.systemEvents(systemId, status, window), (signal) => fetchSystemEvents(systemId, window, signal), {
    placeholderData: ofSameSystem(systemId),
    gcTime: 0,
    retry: false,
  })

async function fetchSystemEvents(systemId: string, { fromMs, toMs }: EventWindow, signal: AbortSignal) {
  const query = new URLSearchParams({ from: `${Math.round(fromMs)}`, ...(toMs === undefined ? {} : { to: `${Math.round(toMs)}` }) })
  try {
    return readSystemEvents(await getJson(`/api/systems/${encodeURIComponent(systemId)}/events?${query.toString()}`, signal))
  } catch (error) {
    if (error instanceof RequestFailed && error.status === NOT_FOUND) return null
    throw error
  }
}

/** The events of an answer; one that makes no sense is left out. */
export function readSystemEvents(answer: unknown): readonly SystemEvent[] {
  return listOf(recordOf(answer)['items']).flatMap((item) => {
    const { at, kind, text, container, exitCode } = recordOf(item)
    const [atMs, known, name, code] = [numberOf(at), kinds.find((one) => one === kind), textOf(container), numberOf(exitCode)]
    if (atMs === undefined || known === undefined) return []
    const parts = { ...(name !== undefined && { container: name }), ...(code !== undefined && { exitCode: code }) }
    return [{ at: atMs, kind: known, text: textOf(text) ?? '', ...parts }]
  })
}
