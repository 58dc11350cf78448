import type { Json } from '@vedette/protocol/wire/stats-json'
import type { ChangedRecord, EventBus, RecordEvent } from '../events/event-bus.ts'
import { firstTime } from '../limits/first-time.ts'
import type { Log } from '../log.ts'
import { LOST, type HubMessages } from './hub-messages.ts'
import { missedChanges, type StoredRecords } from './missed-changes.ts'
import { recordOrder } from './record-order.ts'
import { watchedElsewhere } from './watched-elsewhere.ts'

/** `frequent` events go only to hubs whose users watch the collection; `own` ones to no other hub. */
export type EventReach = 'all' | 'frequent' | 'own'

/** Events as messages. */
export type EventCodec = {
  readonly encode: (event: RecordEvent) => Json
  /** `undefined` when the message is no event of this collection. The event carries the id of the hub that committed it. */
  readonly decode: (message: Json, collection: string) => RecordEvent | undefined
}

export type RelayParts = {
  readonly messages: HubMessages
  readonly bus: EventBus
  /** Id of this hub. */
  readonly hub: string
  readonly reachOf: (event: RecordEvent) => EventReach
  /** Collections with frequent events. */
  readonly frequent: readonly string[]
  /** Collections that are read from the database while there are no messages, if somebody watches them. */
  readonly stored: readonly string[]
  readonly codec: EventCodec
  readonly records: StoredRecords
  readonly log: Log
}

export type EventRelay = AsyncDisposable & {
  /** True when users of other hubs watch the collection. */
  readonly isWatchedElsewhere: (collection: string) => boolean
}

/**
 * Sends the committed events of this hub to the others, and publishes theirs here, marked with their hub. An event of a record that may
 * be older than one before is replaced by the stored state.
 */
export function relayEvents(parts: RelayParts): EventRelay {
  const { messages, bus, hub, reachOf, frequent, codec, records, log } = parts
  const order = recordOrder()
  const isFirst = firstTime()
  const stack = new AsyncDisposableStack()
  const missed = stack.use(missedChanges({ ...parts, order, publish }))
  const frequentStops = new Map<string, () => void>()
  /** Records whose stored state is being read, and whether an event came meanwhile. */
  const rereading = new Map<string, { isOld: boolean }>()

  function receive(message: Json, subject: string): void {
    if (message === LOST) return missed.read()
    const [, collection = ''] = subject.split('.')
    const event = codec.decode(message, collection)
    if (event === undefined) {
      if (isFirst(collection)) log.warn('events of another hub are ignored, because this version cannot read them', { subject })
      return
    }
    if (event.hub === hub) return
    if (isReread(event)) return
    if (!order.isDoubtful(event)) return publish(event)
    reread(event).catch((error: unknown) => log.error('record of an event not read', { collection, error }))
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
      onError: (error) => log.error('other hubs not told what is watched', { error }),
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

/** The bus of this hub, which also counts what users of other hubs watch. */
export const watchedAnywhere = (bus: EventBus, { isWatchedElsewhere }: Pick<EventRelay, 'isWatchedElsewhere'>): EventBus => ({
  ...bus,
  isWatched: (collection) => bus.isWatched(collection) || isWatchedElsewhere(collection),
})

const keyOf = ({ collection, record }: RecordEvent): string => `${collection} ${record.id}`

/** An id as a word of a subject. Listeners read the id from the message. */
const wordOf = (id: string): string => id.replaceAll(/[^\w-]/g, '_').slice(0, 100) || '_'
