import { randomBytes } from 'node:crypto'
import type { Json } from '@vedette/protocol/wire/stats-json'
import type { EventBus, RecordEvent } from '../../platform/events/event-bus.ts'
import type { Log } from '../../platform/log.ts'
import type { Actor } from '../model/actor.ts'
import type { Engine } from '../engine/engine.ts'
import { asEverybodyShowsIt, audienceOf, seenBy } from './realtime-views.ts'
import { eventStream, type EventStream } from './event-stream.ts'
import { badRequest, notFound, RecordError } from '../model/record-error.ts'
import { parseTopic, type Topic } from './realtime-topic.ts'
import type { StoredRecord } from '../model/stored-record.ts'
import { standardStreamLimits, streamSlots, type StreamSlot } from './stream-limits.ts'

const KEEP_ALIVE_MS = 25_000
const MOST_TOPICS = 1000
const LONGEST_TOPIC = 2500
/** Deleted records remembered for what was deleted with them. */
const MOST_GRAVES = 1000
const CLIENT_ID_BYTES = 30

/** The client that opens a stream. */
export type StreamReader = {
  readonly address: string
  /** Called with the account's id when a subscription proves whose stream it is. */
  readonly onAccount: (account: string) => void
  /** Ends the connection. */
  readonly cut?: () => void
}

/** A topic that is no collection. */
export type OwnTopic = {
  /** Before the first slash of the topic. */
  readonly name: string
  /** Whether the actor may hear what is behind the slash; asked at every subscription. Throwing 404 is a no. */
  readonly authorise: (actor: Actor, topic: Topic) => Promise<boolean>
  /** Told whenever the subscriptions of this topic have changed. */
  readonly changed?: (topics: readonly Topic[]) => void
}

export type Realtime = {
  /** Opens a stream; its first frame tells the client its id. Throws 429 when there are too many of everybody. */
  readonly connect: (reader?: StreamReader) => ReadableStream<Uint8Array>
  /**
   * Replaces what a client hears. Throws 404 for an unknown client, 400 for too much, 403 when somebody else asks, 429 when the
   * account has too many streams.
   */
  readonly subscribe: (clientId: string, topics: readonly string[], actor: Actor, session?: string) => Promise<void>
  /** Streams that were subscribed in one of these sessions are nobody's any more, at once. */
  readonly endSessions: (sessions: ReadonlySet<string>) => void
  /** Opens a topic of the hub's own; the answer sends to its subscribers that `accepts` picks. */
  readonly topic: (own: OwnTopic) => (data: Json, accepts?: (topic: Topic) => boolean) => void
  /** Tells one stream, by its client's id, if it hears the topic; then it hears it no more. False when it does not. */
  readonly tellOne: (clientId: string, topic: string, data: Json) => boolean
  /** Resolves when every event so far has been handed to its streams. */
  readonly settled: () => Promise<void>
  readonly close: () => void
}

type Client = {
  readonly id: string
  readonly stream: EventStream
  readonly slot: StreamSlot
  readonly reader: StreamReader
  readonly topics: Map<string, Topic>
  actor: Actor
  session?: string | undefined
}

/** Sends committed changes to whoever subscribed and may see them, in the order of the commits. */
export function startRealtime(engine: Engine, bus: EventBus, log: Log, limits = standardStreamLimits): Realtime {
  const slots = streamSlots(limits)
  const clients = new Map<string, Client>()
  const audience = audienceOf<Client>(engine)
  const ownTopics = new Map<string, OwnTopic>()
  const viewsOf = Map.groupBy(engine.collections.all, ({ viewOf }) => viewOf?.collection)
  let work: Promise<void> = Promise.resolve()
  const graves = new Map<string, StoredRecord>()
  const unsubscribe = bus.subscribe(
    'all',
    (event) => {
      followActor(event)
      if (changesAccess(event)) void authoriseAgain().catch((error: unknown) => log.error('topics not authorised again', { error }))
      if (event.action === 'delete') bury(event)
      if (isShown(event.collection))
        work = work.then(() => deliverShown(event)).catch((error: unknown) => log.error('event not delivered', { error }))
    },
    isWatched,
  )
  const keepAlive = setInterval(() => clients.forEach(({ stream }) => stream.keepAlive()), KEEP_ALIVE_MS)
  keepAlive.unref()

  function isWatched(name: string): boolean {
    const collection = engine.collections.find(name)
    return collection !== undefined && audience.has(collection)
  }

  /** Whether somebody watches the collection, or one that is a view of it. */
  const isShown = (name: string): boolean => isWatched(name) || (viewsOf.get(name) ?? []).some((view) => audience.has(view))

  function bury({ collection, record }: RecordEvent): void {
    graves.set(`${collection} ${record.id}`, record)
    const [oldest] = graves.keys()
    if (graves.size > MOST_GRAVES && oldest !== undefined) graves.delete(oldest)
  }

  /** A changed account is who its streams now speak for; a new token key or no account makes them a guest's. */
  function followActor(event: RecordEvent): void {
    if (event.collection !== 'users') return
    const { action, record } = event
    for (const client of clients.values()) {
      if (client.actor?.id !== record.id) continue
      seat(client, action === 'delete' || record['tokenKey'] !== client.actor['tokenKey'] ? undefined : record)
    }
  }

  function seat(client: Client, actor: Actor, topics: readonly Topic[] = [...client.topics.values()]): void {
    audience.leave(client, client.actor, client.topics.values())
    client.actor = actor
    client.topics.clear()
    for (const topic of topics) client.topics.set(topic.text, topic)
    audience.join(client, actor, topics)
  }

  /** Streams of one account share the record of it, and with it what they are shown. */
  function sameAccount(actor: Actor): Actor {
    const other = clients.values().find((client) => client.actor !== undefined && client.actor.id === actor?.id)?.actor
    return other !== undefined && JSON.stringify(other) === JSON.stringify(actor) ? other : actor
  }

  /** Topics of the hub's own are authorised when they are subscribed to; who may hear them may change later. */
  async function authoriseAgain(): Promise<void> {
    const lost: string[] = []
    for (const client of clients.values()) {
      for (const topic of client.topics.values()) {
        if (!ownTopics.has(topic.name) || (await permitted(topic, client.actor))) continue
        client.topics.delete(topic.text)
        lost.push(topic.name)
      }
    }
    announce(lost)
  }

  async function deliverShown(event: RecordEvent): Promise<void> {
    for (const shown of asEverybodyShowsIt(engine.collections, event)) await deliver(shown)
  }

  async function deliver(event: RecordEvent): Promise<void> {
    const collection = engine.collections.find(event.collection)
    if (collection === undefined) return
    const looking = [...audience.of(collection)].filter(({ view: { topic } }) => topic.rest === '*' || topic.rest === event.record.id)
    if (looking.length === 0) return
    const look = seenBy(engine, event, (name, id) => graves.get(`${name} ${id}`))
    const seen = await Promise.all(
      looking.map(async ({ view, subscribers }) => ({ text: view.topic.text, subscribers, data: await look(view).catch(complain) })),
    )
    for (const { text, subscribers, data } of seen) {
      if (data === undefined) continue
      const frame = { event: text, data, action: event.action }
      for (const { stream } of subscribers) stream.send(`${text} ${event.record.id}`, frame)
    }
  }

  /** What cannot be shown to one is still shown to the others. */
  function complain(error: unknown): undefined {
    log.error('event not delivered', { error })
    return undefined
  }

  function announce(names: Iterable<string>): void {
    for (const name of new Set(names)) {
      if (!ownTopics.has(name)) continue
      const all = [...clients.values()].flatMap(({ topics }) => [...topics.values()].filter((topic) => topic.name === name))
      ownTopics.get(name)?.changed?.(all)
    }
  }

  async function permitted(topic: Topic, actor: Actor): Promise<boolean> {
    const own = ownTopics.get(topic.name)
    if (own === undefined) return engine.collections.find(topic.name) !== undefined
    return own.authorise(actor, topic).catch((error: unknown) => {
      if (error instanceof RecordError) return false
      throw error
    })
  }

  return {
    connect(reader = { address: '', onAccount: () => {} }) {
      const id = randomBytes(CLIENT_ID_BYTES).toString('base64url')
      const ended = (): void => {
        const names = [...client.topics.values()].map(({ name }) => name)
        clients.delete(id)
        slot.release()
        seat(client, undefined, [])
        announce(names)
      }
      const slot = slots.open(reader.address, () => stream.close())
      const stream = eventStream({ id, ended, cut: reader.cut })
      const client: Client = { id, stream, slot, reader, topics: new Map(), actor: undefined }
      clients.set(id, client)
      stream.send('PB_CONNECT', { event: 'PB_CONNECT', data: JSON.stringify({ clientId: id }) })
      return stream.body
    },

    async subscribe(clientId, texts, actor, session) {
      const client = clients.get(clientId)
      if (client === undefined) throw notFound('Missing or invalid client id.')
      refuseTooMany(texts)
      if (client.actor !== undefined && client.actor.id !== actor?.id) {
        throw new RecordError(403, "The current and the previous request authorization don't match.")
      }
      if (actor !== undefined) {
        client.slot.countFor(actor.id)
        client.reader.onAccount(actor.id)
      }
      client.session = session
      seat(client, sameAccount(actor))
      const topics = texts.filter((text) => text !== '').map(parseTopic)
      const may = await Promise.all(topics.map((topic) => permitted(topic, actor)))
      if (!clients.has(clientId)) return
      const before = [...client.topics.values()].map(({ name }) => name)
      // Who they are may have changed while it was asked: then it is asked again.
      seat(
        client,
        client.actor,
        topics.filter((_, at) => may[at] === true),
      )
      if (client.actor?.id !== actor?.id) await authoriseAgain()
      announce([...before, ...topics.map(({ name }) => name)])
    },

    endSessions(sessions) {
      for (const client of clients.values()) if (client.session !== undefined && sessions.has(client.session)) seat(client, undefined)
      void authoriseAgain().catch((error: unknown) => log.error('topics not authorised again', { error }))
    },

    topic(own) {
      ownTopics.set(own.name, own)
      return (data, accepts = () => true) => {
        const text = JSON.stringify(data)
        for (const { stream, topics } of clients.values()) {
          for (const topic of topics.values()) {
            if (topic.name === own.name && accepts(topic)) stream.send(topic.text, { event: topic.text, data: text })
          }
        }
      }
    },

    tellOne(clientId, text, data) {
      const client = clients.get(clientId)
      if (client === undefined || !client.topics.has(text)) return false
      client.stream.send(text, { event: text, data: JSON.stringify(data) })
      seat(
        client,
        client.actor,
        [...client.topics.values()].filter((topic) => topic.text !== text),
      )
      return true
    },

    settled: () => work,

    close() {
      unsubscribe()
      clearInterval(keepAlive)
      // Closing takes the client out of the map, which a Map allows while it is walked.
      for (const { stream } of clients.values()) stream.close()
    },
  }
}

/** What a topic of the hub's own may depend on: accounts, and with whom systems are shared. */
function changesAccess(event: RecordEvent): boolean {
  const { collection, action } = event
  if (collection === 'users') return true
  if (collection !== 'systems' || action === 'create') return false
  const { record, previous } = event
  if (action === 'update' && record['users'] === previous?.['users']) return false
  return action === 'delete' || JSON.stringify(record['users']) !== JSON.stringify(previous?.['users'])
}

function refuseTooMany(topics: readonly string[]): void {
  if (topics.length > MOST_TOPICS) {
    throw badRequest(undefined, {
      subscriptions: {
        code: 'validation_length_too_long',
        message: `The length must be no more than ${MOST_TOPICS}.`,
        params: { max: MOST_TOPICS, min: 0 },
      },
    })
  }
  const long = topics.findIndex((topic) => topic.length > LONGEST_TOPIC)
  if (long < 0) return
  throw badRequest(undefined, {
    subscriptions: {
      [long]: {
        code: 'validation_length_too_long',
        message: `The length must be no more than ${LONGEST_TOPIC}.`,
        params: { max: LONGEST_TOPIC, min: 0 },
      },
    },
  })
}
