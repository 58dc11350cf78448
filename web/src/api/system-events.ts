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
 * Stored event of a system, of one of its containers, or of the hub, such as downtime or a container's exit. `at` is epoch ms; `text` is
 * the reason, empty if unknown. `exitCode` is absent when the container still runs or the code is unknown.
 */
export type SystemEvent = {
  readonly at: number
  readonly kind: (typeof kinds)[number]
  readonly text: string
  readonly container?: string
  readonly exitCode?: number
}

/** Time range, in epoch ms, whose events of a system are requested; `toMs` undefined = until now. */
type EventWindow = { readonly fromMs: number; readonly toMs: number | undefined }

const NOT_FOUND = 404

/**
 * Returns a `placeholderData` function for TanStack Query: while another time range of a system loads, the previous data of that system
 * stay visible. The item at index 1 of the query key must be the system's id.
 */
export const previousOfSystem =
  (systemId: string) =>
  <T>(previous: T | undefined, query: { readonly queryKey: QueryKey } | undefined): T | undefined =>
    query?.queryKey[1] === systemId ? previous : undefined

/**
 * TanStack Query options for the list of stored events of a system in a time range, oldest first, such as downtimes and container exits. It
 * is null after status 404, as from a hub without this endpoint. `status` of the system is part of the key, so a changed status refetches.
 */
export const systemEventsQuery = (systemId: string, status: string, window: EventWindow) =>
  serverQuery(keys.systemEvents(systemId, status, window), (signal) => fetchSystemEvents(systemId, window, signal), {
    placeholderData: previousOfSystem(systemId),
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

/** Parses the hub's JSON response with events of a system, oldest first, to a list; invalid events are left out. */
export function readSystemEvents(answer: unknown): readonly SystemEvent[] {
  return listOf(recordOf(answer)['items']).flatMap((item) => {
    const { at, kind, text, container, exitCode } = recordOf(item)
    const [atMs, known, name, code] = [numberOf(at), kinds.find((one) => one === kind), textOf(container), numberOf(exitCode)]
    if (atMs === undefined || known === undefined) return []
    const parts = { ...(name !== undefined && { container: name }), ...(code !== undefined && { exitCode: code }) }
    return [{ at: atMs, kind: known, text: textOf(text) ?? '', ...parts }]
  })
}
