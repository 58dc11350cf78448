import type { Json } from '@vedette/protocol/wire/stats-json'
import type { ChangedRecord, EventBus, RecordEvent } from '../events/event-bus.ts'
import { firstTime } from '../limits/first-time.ts'
import type { Log } from '../log.ts'
import { LOST, type HubMessages } from './hub-messages.ts'
import { missedChanges, type StoredRecords } from './missed-changes.ts'
import { recordOrder } from './record-order.ts'
import { watchedElsewhere } from './watched-elsewhere.ts'

/**
 * Name of the set of hubs to which a record event is sent. `all`: every hub; `frequent`: only hubs whose users subscribe to its collection;
 * `own`: no other hub.
 */
export type EventReach = 'all' | 'frequent' | 'own'

/** Functions that convert record events to JSON messages for other hubs (`encode`) and back (`decode`). */
export type EventCodec = {
  readonly encode: (event: RecordEvent) => Json
  /**
   * Decodes a message of another hub to a record event, with the id of the hub that committed the change. `undefined` when the message is
   * not an event of the given collection.
   */
  readonly decode: (message: Json, collection: string) => RecordEvent | undefined
}

export type RelayParts = {
  readonly messages: HubMessages
  readonly bus: EventBus
  /** Id of this hub, sent with its messages of record events. The hub ignores messages with its own id. */
  readonly hub: string
  readonly reachOf: (event: RecordEvent) => EventReach
  /**
   * List of the names of collections that change with every sample, such as `systems` and `system_stats`. Their events with the reach
   * `frequent` are sent only to hubs whose users subscribe to them.
   */
  readonly frequent: readonly string[]
  /**
   * Names of the collections that this hub reads from the database while messages between hubs are lost, to find changes. It reads those to
   * which its own users subscribe.
   */
  readonly stored: readonly string[]
  readonly codec: EventCodec
  readonly records: StoredRecords
  readonly log: Log
}

export type EventRelay = AsyncDisposable & {
  /** Returns true when users of other hubs subscribe to the named collection, one of `frequent`. False for any other collection. */
  readonly isWatchedElsewhere: (collection: string) => boolean
}

/**
 * Starts to send this hub's committed record events to the other hubs, and to publish theirs on this hub's bus. If an arriving event may be
 * older than the last one of its record, the record is read from the database instead.
 */
export function relayEvents(parts: RelayParts): EventRelay {
  const { messages, bus, hub, reachOf, frequent, codec, records, log } = parts
  const order = recordOrder()
  const isFirst = firstTime()
  const stack = new AsyncDisposableStack()
  const missed = stack.use(missedChanges({ ...parts, order, publish }))
  const frequentStops = new Map<string, () => void>()
  /**
   * Map from `COLLECTION ID` of each record that is now being read from the database to the state of that read. `isOld` becomes true when
   * another event of the record arrives, and the read is then repeated.
   */
  const rereading = new Map<string, { isOld: boolean }>()

  function receive(message: Json, subject: string): void {
    if (message === LOST) return missed.read()
    const [, collection = ''] = subject.split('.')
    const event = codec.decode(message, collection)
    if (event === undefined) {
      if (isFirst(collection)) log.warn('events of another hub ignored: this version cannot read them', { subject })
      return
    }
    if (event.hub === hub) return
    if (isReread(event)) return
    if (!order.isDoubtful(event)) return publish(event)
    reread(event).catch((error: unknown) => log.error('record of an event not loaded', { collection, error }))
  }

  function isReread(event: RecordEvent): boolean {
    const reading = event.sample === undefined ? rereading.get(keyOf(event)) : undefined
    if (reading !== undefined) reading.isOld = true
    return reading !== undefined
  }

  async function reread(event: RecordEvent): Promise<void> {
    const { collection, record, hub: from = '' } = event
    const reading = { isOld: false }
    rereading.set(keyOf(event), reading)
    try {
      let found: readonly ChangedRecord[]
      do {
        reading.isOld = false
        found = await records.loadMany(collection, [record.id])
      } while (reading.isOld)
      for (const stored of found) publish({ action: 'update', collection, record: stored, previous: stored, hub: from })
    } finally {
      rereading.delete(keyOf(event))
    }
  }

  function publish(event: RecordEvent): void {
    bus.publish(event)
  }

  stack.defer(
    bus.subscribe('all', (event) => {
      order.note(event)
      if (event.hub === undefined) isReread(event)
      const reach = event.hub === undefined ? reachOf(event) : 'own'
      if (reach === 'own' || !messages.isConnected()) return
      if (reach === 'frequent' && !watched.isWatched(event.collection)) return
      const id = event.sample?.system ?? event.record.id
      messages.publish(`${reach === 'all' ? 'events' : 'frequent'}.${event.collection}.${wordOf(id)}`, codec.encode(event))
    }),
  )
  const watched = stack.use(
    watchedElsewhere({
      messages,
      bus,
      hub,
      collections: frequent,
      onError: (error) => log.error('watched topics not sent to other hubs', { error }),
      onWatched(collections) {
        for (const [name, stop] of frequentStops) {
          if (collections.includes(name)) continue
          stop()
          frequentStops.delete(name)
        }
        for (const name of collections)
          if (!frequentStops.has(name)) frequentStops.set(name, messages.subscribe(`frequent.${name}.>`, receive))
      },
    }),
  )
  stack.defer(messages.subscribe('events.>', receive))
  stack.defer(() => frequentStops.forEach((stop) => stop()))
  return { isWatchedElsewhere: watched.isWatched, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/**
 * Returns an event bus like `bus` of this hub. Its `isWatched` is also true for collections that change with every sample and have
 * subscribers on other hubs.
 */
export const watchedAnywhere = (bus: EventBus, { isWatchedElsewhere }: Pick<EventRelay, 'isWatchedElsewhere'>): EventBus => ({
  ...bus,
  isWatched: (collection) => bus.isWatched(collection) || isWatchedElsewhere(collection),
})

const keyOf = ({ collection, record }: RecordEvent): string => `${collection} ${record.id}`

/**
 * Returns a record id as one word of a NATS subject: characters other than letters, digits, `_` and `-` become `_`, at most 100 characters.
 * Receivers read the true id from the message.
 */
const wordOf = (id: string): string => id.replaceAll(/[^\w-]/g, '_').slice(0, 100) || '_'
