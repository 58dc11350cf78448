import { whenFollowed } from './live-connection.ts'
import { queryClient, serverQuery } from './server-query.ts'

type Identified = { readonly id: string }
type ListEvent<T> = { readonly action: string; readonly record: T }

/** A list of records that the hub sends events about, held in the query cache. */
export type LiveList<T> = {
  readonly query: ReturnType<typeof serverQuery<readonly T[]>>
  /** Applies an event: `create` and `update` with the record as it is now, `delete` with the record as it was. */
  readonly apply: (action: string, record: T) => void
  /** Reads the list after a connect, unless a reading has waited for that. */
  readonly renew: () => void
  /** Reads one record after a connect. An event about it that arrives meanwhile wins: the hub may have made the response before it. */
  readonly renewOne: (id: string, fetchOne: () => Promise<T | undefined>) => Promise<void>
  /** Shows `after` in place of `before` while `write` is under way; shows `before` again if it fails, unless an event has changed the record since. */
  readonly change: <R>(before: T, after: T, write: () => Promise<R>) => Promise<R>
}

/**
 * A list is read after its events are subscribed, so that it is read once and none is lost. An event that arrives while the list is being
 * read is applied to the response too: the hub may have made the response before it.
 */
export function liveList<T extends Identified>(
  queryKey: readonly string[],
  fetchList: (signal: AbortSignal) => Promise<readonly T[]>,
): LiveList<T> {
  const readings = new Set<ListEvent<T>[]>()
  let isWaiting = false

  const read = async (signal: AbortSignal): Promise<readonly T[]> => {
    const events: ListEvent<T>[] = []
    readings.add(events)
    try {
      isWaiting = true
      await whenFollowed(signal)
      isWaiting = false
      const list = await fetchList(signal)
      return events.reduce((current, { action, record }) => applyEvent(current, action, record), list)
    } finally {
      readings.delete(events)
    }
  }
  const query = serverQuery(queryKey, read)
  const shown = (id: string): T | undefined => queryClient.getQueryData(query.queryKey)?.find((one) => one.id === id)
  const apply = (action: string, record: T): void => {
    for (const events of readings) events.push({ action, record })
    queryClient.setQueryData(query.queryKey, (list) => list && applyEvent(list, action, record))
  }

  const renew = (): void => {
    if (!isWaiting) void queryClient.invalidateQueries({ queryKey })
  }

  return {
    query,
    apply,
    renew,
    async renewOne(id, fetchOne) {
      const events: ListEvent<T>[] = []
      readings.add(events)
      try {
        const one = await fetchOne()
        if (one === undefined) renew()
        else if (!events.some(({ record }) => record.id === id)) apply('update', one)
      } finally {
        readings.delete(events)
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
 * A list after a record event: a created or updated record replaces the one with its id or comes last (what shows the list
 * sorts it), a deleted one is gone. Records that the event does not concern stay the same objects.
 */
export function applyEvent<T extends { readonly id: string }>(list: readonly T[], action: string, record: T): readonly T[] {
  if (action === 'delete') return list.filter(({ id }) => id !== record.id)
  if (!list.some(({ id }) => id === record.id)) return [...list, record]
  return list.map((one) => (one.id === record.id ? record : one))
}
