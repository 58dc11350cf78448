import type { Json } from '@vedette/protocol/wire/stats-json'
import { sql } from 'kysely'
import { z } from 'zod'
import { readSampleMessage, sampleMessage } from '../../history/read/sample-message.ts'
import { relayEvents, type EventCodec, type EventReach, type EventRelay } from '../../platform/cluster/event-relay.ts'
import type { StoredVersion } from '../../platform/cluster/missed-changes.ts'
import type { EventBus, RecordEvent } from '../../platform/events/event-bus.ts'
import { parseJson } from '../../platform/json.ts'
import type { Log } from '../../platform/log.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import type { Engine } from '../../records/engine/engine.ts'
import type { Realtime } from '../../records/realtime/realtime.ts'
import type { HubMessages } from '../../platform/cluster/hub-messages.ts'
import { isRelevantChange } from './relevant-changes.ts'

type RelayParts = {
  readonly messages: HubMessages
  /** Id of this hub, sent with each record event so that receivers know the sender. */
  readonly hub: string
  readonly bus: EventBus
  readonly engine: Pick<Engine, 'database' | 'store' | 'collections' | 'secrets'>
  readonly log: Log
}

const SAMPLES: ReadonlySet<string> = new Set(['system_stats', 'container_stats'])
/**
 * Names of the collections that change with samples, such as `systems` and `containers`. Most of their record events are sent only to hubs
 * that have subscribers for them; `reachOf` decides on each event.
 */
const frequent = ['systems', 'containers', 'systemd_services', ...SAMPLES]
/**
 * Names of the collections, such as `systems` and `alerts`, that a hub reads again from the database while the message connection between
 * hubs is lost.
 */
const stored = ['systems', 'containers', 'systemd_services', 'alerts', 'system_details', 'smart_devices']
/**
 * Starts to exchange record events with the other hubs through messages: sends those of this hub, and publishes theirs on `bus`. Dispose
 * the result to stop.
 */
export function relayToHubs({ messages, hub, bus, engine, log }: RelayParts): EventRelay {
  const { database, store, collections, secrets } = engine
  return relayEvents({
    messages,
    bus,
    hub,
    reachOf,
    frequent,
    stored,
    codec: eventCodec(secrets, hub),
    records: {
      async versions(name) {
        const { rows } = await sql<StoredVersion>`select r.id, r.updated from ${sql.table(name)} as r`.execute(database.kysely)
        return rows
      },
      async loadMany(name, ids) {
        const collection = collections.find(name)
        return collection === undefined || SAMPLES.has(name) ? [] : store.loadMany(collection, ids)
      },
    },
    log,
  })
}

export function reachOf(event: RecordEvent): EventReach {
  // Every hub publishes roll-ups for its own users.
  if (SAMPLES.has(event.collection)) return event.sample === undefined ? 'own' : 'frequent'
  if (!frequent.includes(event.collection)) return 'all'
  if (event.collection !== 'systems') return 'frequent'
  const isUnclear = event.action === 'update' && event.previous === undefined
  return isUnclear || isRelevantChange(event) ? 'all' : 'frequent'
}

const PLACE = 'hubs.event'
const record = z.looseObject({ id: z.string().min(1).max(100) }) as unknown as z.ZodType<RecordEvent['record']> // it was JSON of a record
const eventSchema = z.object({
  hub: z.string().min(1).max(100),
  action: z.enum(['create', 'update', 'delete']),
  record,
  previous: record.optional(),
  isOfSample: z.boolean().optional(),
})
const sampleSchema = z.object({ hub: z.string().min(1).max(100), sample: z.unknown() })

/**
 * Creates the functions that convert record events to and from messages between hubs. Events contain tokens and password hashes, so they
 * are encrypted with the secret key that all hubs share; samples are not.
 */
export function eventCodec(secrets: SecretBox, hub: string): EventCodec {
  return {
    encode(event) {
      const { action, collection, record: changed, previous, sample } = event
      if (sample !== undefined) return { hub, sample: sampleMessage({ collection, sample }) }
      // Nobody compares what a sample changes, so `previous` is omitted, which halves the message.
      const before = reachOf(event) === 'frequent' ? { isOfSample: true } : { previous }
      return secrets.seal(`${PLACE}.${collection}`, JSON.stringify({ hub, action, record: changed, ...before }))
    },
    decode(message, collection) {
      if (typeof message !== 'string') return readSample(message, collection)
      const { success, data } = eventSchema.safeParse(open(secrets, collection, message))
      if (!success) return undefined
      const { isOfSample, ...event } = data
      const previous = isOfSample === true ? event.record : event.previous
      return { collection, hub: event.hub, action: event.action, record: event.record, ...(previous !== undefined && { previous }) }
    },
  }
}

function readSample(message: Json, collection: string): RecordEvent | undefined {
  const { success, data } = sampleSchema.safeParse(message)
  const event = success ? readSampleMessage(data.sample, data.hub) : undefined
  return event?.collection === collection ? event : undefined
}

function open(secrets: SecretBox, collection: string, sealed: string): Json | undefined {
  try {
    return parseJson(secrets.open(`${PLACE}.${collection}`, sealed))
  } catch {
    return undefined
  }
}

/**
 * Sends `{ isDelayed }` to signed-in subscribers of the realtime topic `delayed`: true while changes of other hubs arrive late, because the
 * message connection is lost. Returns the function that stops it.
 */
export function serveDelay(realtime: Pick<Realtime, 'topic'>, messages: HubMessages): () => void {
  const send = realtime.topic({
    name: 'delayed',
    authorise: async (actor) => actor !== undefined,
    changed: (topics) => topics.length > 0 && tell(messages.isConnected()),
  })
  const tell = (isConnected: boolean): void => send({ isDelayed: !isConnected })
  return messages.onConnection(tell)
}
