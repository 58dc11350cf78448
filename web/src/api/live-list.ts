import { whenFollowed } from './live-connection.ts'
import { queryClient, serverQuery } from './server-query.ts'

type Identified = { readonly id: string }
type ListEvent<T> = { readonly action: string; readonly record: T }

/**
 * State of a running fetch of a list, or of one record. `events` are the realtime events that arrived meanwhile; they are applied to the
 * response. `isOld` is true when the realtime connection was made during the fetch: the response may lack changes, so the fetch is
 * repeated.
 */
type Reading<T> = { events: ListEvent<T>[]; isOld: boolean }

/**
 * Functions over one list of records, such as alert rules, in the query cache. They read the list and keep it up to date by realtime events
 * of the hub.
 */
export type LiveList<T> = {
  readonly query: ReturnType<typeof serverQuery<readonly T[]>>
  /** Applies a realtime event to the cached list: `create` and `update` add or replace the record, `delete` removes it. */
  readonly apply: (action: string, record: T) => void
  /**
   * Applies a realtime event to the cached list like `apply`, but together with other events that arrive at the same time. An outage of
   * thousands of systems then changes the list only a few times.
   */
  readonly receive: (action: string, record: T) => void
  /**
   * Marks the list as stale, so that it is fetched from the hub again. This is so also when a fetch runs already: its response may lack
   * changes before the connect. Call it after each connect of the realtime connection. Does nothing when a fetch still waits for that
   * connection.
   */
  readonly renew: () => void
  /**
   * Fetches one record of the list again after a reconnect. If an event about that record arrives during the request, the event's record is
   * kept, because the response may be older. If `fetchOne` resolves to `undefined`, the whole list is fetched again.
   */
  readonly renewOne: (id: string, fetchOne: () => Promise<T | undefined>) => Promise<void>
  /**
   * Runs an optimistic update of a record in the cached list: shows `after` while `write` runs. If `write` fails, it shows `before` again,
   * unless the list has another version by then. Resolves or rejects as `write` does.
   */
  readonly change: <R>(before: T, after: T, write: () => Promise<R>) => Promise<R>
}

/**
 * Creates a list of records in the query cache under `queryKey`, which realtime events keep up to date. `fetchList` is called once the
 * events are subscribed, at the latest 1 s later. Events that arrive meanwhile are applied to its response, which may be older.
 */
export function liveList<T extends Identified>(
  queryKey: readonly string[],
  fetchList: (signal: AbortSignal) => Promise<readonly T[]>,
): LiveList<T> {
  const readings = new Set<Reading<T>>()
  const received: ListEvent<T>[] = []
  let isWaiting = false

  const read = async (signal: AbortSignal): Promise<readonly T[]> => {
    const reading = startReading()
    try {
      isWaiting = true
      await whenFollowed(signal)
      isWaiting = false
      // Fetched again for a connect meanwhile: the query cache does not repeat a first fetch by itself.
      for (;;) {
        const list = await fetchList(signal)
        if (!reading.isOld) return applyEvents(list, reading.events)
        reading.isOld = false
        reading.events = []
      }
    } finally {
      readings.delete(reading)
    }
  }
  const startReading = (): Reading<T> => {
    const reading = { events: [], isOld: false }
    readings.add(reading)
    return reading
  }
  const query = serverQuery(queryKey, read)
  const shown = (id: string): T | undefined => queryClient.getQueryData(query.queryKey)?.find((one) => one.id === id)
  const receive = (action: string, record: T): void => {
    for (const events of [received, ...[...readings].map((reading) => reading.events)]) events.push({ action, record })
    if (received.length === 1) setTimeout(applyReceived)
  }
  const applyReceived = (): void => {
    const events = received.splice(0)
    if (events.length > 0) queryClient.setQueryData(query.queryKey, (list) => list && applyEvents(list, events))
  }
  const apply = (action: string, record: T): void => {
    receive(action, record)
    applyReceived()
  }

  const renew = (): void => {
    if (isWaiting) return
    for (const reading of readings) reading.isOld = true
    void queryClient.invalidateQueries({ queryKey })
  }

  return {
    query,
    apply,
    receive,
    renew,
    async renewOne(id, fetchOne) {
      const reading = startReading()
      try {
        const one = await fetchOne()
        if (one === undefined) renew()
        else if (!reading.events.some(({ record }) => record.id === id)) apply('update', one)
      } finally {
        readings.delete(reading)
      }
    },
    async change(before, after, write) {
      apply('update', after)
      const changed = shown(after.id)
      try {
        return await write()
      } catch (error) {
        if (shown(after.id) === changed) apply('update', before)
        throw error
      }
    },
  }
}

/**
 * Returns the list after realtime events: a created or updated record replaces the one with its id or is appended; a deleted one is
 * removed. Unchanged records stay the same objects, so that React need not render them again.
 */
export function applyEvents<T extends Identified>(list: readonly T[], events: readonly ListEvent<T>[]): readonly T[] {
  const records = new Map(list.map((one) => [one.id, one]))
  for (const { action, record } of events) {
    if (action === 'delete') records.delete(record.id)
    else records.set(record.id, record)
  }
  return [...records.values()]
}
