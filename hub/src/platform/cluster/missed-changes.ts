import type { ChangedRecord, EventBus, RecordEvent } from '../events/event-bus.ts'
import type { Log } from '../log.ts'
import { startLoop } from '../loop.ts'
import type { HubMessages } from './hub-messages.ts'
import type { RecordOrder } from './record-order.ts'

/**
 * Id and field `updated` of a stored record. Each change sets `updated` to a new value, so an equal value means that the record did not
 * change.
 */
export type StoredVersion = { readonly id: string; readonly updated: string | number }

/**
 * Functions that read the records of a collection, to find changes whose messages between hubs were lost. `versions` resolves to `id` and
 * `updated` of all its records; `loadMany` to the complete records with the given ids.
 */
export type StoredRecords = {
  readonly versions: (collection: string) => Promise<readonly StoredVersion[]>
  readonly loadMany: (collection: string, ids: readonly string[]) => Promise<readonly ChangedRecord[]>
}

const READ_EVERY_MS = 5000
const LOADED_AT_ONCE = 500
const UNKNOWN_HUB = 'unknown'

type MissedParts = {
  readonly messages: Pick<HubMessages, 'isConnected' | 'onConnection'>
  readonly bus: Pick<EventBus, 'isWatched'>
  readonly stored: readonly string[]
  readonly records: StoredRecords
  readonly order: RecordOrder
  readonly publish: (event: RecordEvent) => void
  readonly log: Log
}

export type MissedChanges = AsyncDisposable & {
  /**
   * Starts to read the subscribed collections from the database in the background, and returns at once. Changes whose messages were lost
   * are then published.
   */
  readonly read: () => void
}

/**
 * Starts to recover record events whose messages between hubs were lost. Without a message connection it reads those collections of
 * `stored` that have subscribers every 5 s, and once after reconnecting or a call of `read`. It publishes each record whose `updated`
 * differs from the last published one.
 */
export function missedChanges({ messages, bus, stored, records, order, publish, log }: MissedParts): MissedChanges {
  let isDue = false

  async function work(signal: AbortSignal): Promise<number | undefined> {
    if (messages.isConnected() && !isDue) return undefined
    isDue = false
    for (const collection of stored) if (bus.isWatched(collection) && !signal.aborted) await readCollection(collection, signal)
    return messages.isConnected() ? undefined : READ_EVERY_MS
  }

  async function readCollection(collection: string, signal: AbortSignal): Promise<void> {
    const versions = await records.versions(collection)
    const changed = versions.filter(({ id, updated }) => order.isNews(collection, id, updated)).map(({ id }) => id)
    for (let from = 0; from < changed.length && !signal.aborted; from += LOADED_AT_ONCE) {
      for (const record of await records.loadMany(collection, changed.slice(from, from + LOADED_AT_ONCE)))
        publish({ action: 'update', collection, record, previous: record, hub: UNKNOWN_HUB })
    }
  }

  const loop = startLoop({
    work,
    retryMs: READ_EVERY_MS,
    onError: (error) => log.warn('records of other hubs were not read', { error }),
  })
  const read = (): void => {
    isDue = true
    loop.wake()
  }
  const stop = messages.onConnection(read)
  return {
    read,
    async [Symbol.asyncDispose]() {
      stop()
      await loop[Symbol.asyncDispose]()
    },
  }
}
