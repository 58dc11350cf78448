import { randomBytes } from 'node:crypto'
import type { Json } from '@vedette/protocol/wire/stats-json'
import type { EventBus, RecordEvent } from '../../platform/events/event-bus.ts'
import type { Log } from '../../platform/log.ts'
import type { Actor, StoredRecord } from '../model/stored-record.ts'
import type { Engine } from '../engine/engine.ts'
import { eventsWithViews, audienceOf, eventTextsOf } from './realtime-views.ts'
import { eventStream, type EventStream } from '../../platform/http/event-stream.ts'
import { notFound, RecordError } from '../model/record-error.ts'
import { parseTopics, type Topic } from './realtime-topic.ts'
import { standardStreamLimits, streamSlots, type StreamLimits, type StreamSlot } from './stream-limits.ts'

const KEEP_ALIVE_MS = 25_000
/**
 * Maximum number of recently deleted records that the realtime service has in memory: 1,000. Access to a deleted container depends on its
 * system, which may have been deleted with it, so events need both.
 */
const MOST_DELETED_RECORDS = 1000
const CLIENT_ID_BYTES = 30

/** Client that opens an event stream: its IP address, and callbacks that concern its connection. */
export type StreamReader = {
  readonly address: string
  /**
   * Called with an account's id when a subscribe request proves that this client's event stream belongs to that account. The caller then
   * counts the connection for the account.
   */
  readonly onAccount: (account: string) => void
  /** Function that closes the TCP connection of a client that reads its event stream too slowly. Absent: the connection stays open. */
  readonly cut?: () => void
}

/**
 * Definition of a custom realtime topic, whose data is not the records of a collection: its name, access check and subscription callback.
 */
export type OwnTopic = {
  /** Name of the custom topic: the part of its topics before the first slash, such as `history` of `history/ID`. */
  readonly name: string
  /**
   * Function that resolves to true when an account (`undefined` for a guest) may subscribe to the custom topic. It is called at every
   * subscription. If it throws a RecordError, such as 404, the account may not.
   */
  readonly authorise: (actor: Actor, topic: Topic) => Promise<boolean>
  /**
   * Function called after clients subscribed to this custom topic or left it, with the parsed topics of all current subscriptions. Absent:
   * none.
   */
  readonly changed?: (topics: readonly Topic[]) => void
}

export type Realtime = {
  /**
   * Opens an event stream and returns the response body. Its first server-sent event contains the client id. Throws 429 when there are too
   * many streams in total.
   */
  readonly connect: (reader?: StreamReader) => ReadableStream<Uint8Array>
  /**
   * Replaces the subscriptions of the event stream `clientId` by `topics`, except those that the account may not use. `session` is the key
   * of the login session. Rejects with 404 for an unknown stream, 400 for too many or too long topics, 403 for another account's stream,
   * 429 for too many streams of the account.
   */
  readonly subscribe: (clientId: string, topics: readonly string[], actor: Actor, session?: string) => Promise<void>
  /**
   * Makes all event streams of these login sessions guest streams at once, so that they get no private data any more. `sessions` are
   * session keys.
   */
  readonly endSessions: (sessions: ReadonlySet<string>) => void
  /**
   * Registers a custom realtime topic. Returns a function that sends `data` to its subscribers; with `accepts`, only to those for whose
   * parsed topic and current account (`undefined` for a guest) `accepts` returns true.
   */
  readonly topic: (own: OwnTopic) => (data: Json, accepts?: (topic: Topic, actor: Actor) => boolean) => void
  /**
   * Sends data to one client (by its client id) that subscribes to the topic, then ends that subscription. Returns false if the client has
   * no such subscription.
   */
  readonly sendToClient: (clientId: string, topic: string, data: Json) => boolean
  /**
   * Returns a promise that resolves when all record events so far are in the queues of their subscribers' event streams, ready to be sent.
   */
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

/** Options of the realtime service. `hub` is this hub's id among several; client ids then begin with that id and a dot. */
export type RealtimeOptions = { readonly limits?: StreamLimits | undefined; readonly hub?: string | undefined }

/** Starts the realtime service: it sends committed record changes to those subscribers who may see the records, in commit order. */
export function startRealtime(
  engine: Engine,
  bus: EventBus,
  log: Log,
  { limits = standardStreamLimits, hub }: RealtimeOptions = {},
): Realtime {
  const slots = streamSlots(limits)
  const clients = new Map<string, Client>()
  const audience = audienceOf<Client>(engine)
  const ownTopics = new Map<string, OwnTopic>()
  const viewsOf = Map.groupBy(engine.collections.all, ({ viewOf }) => viewOf?.collection)
  let work: Promise<void> = Promise.resolve()
  const deletedRecords = new Map<string, StoredRecord>()
  const unsubscribe = bus.subscribe(
    'all',
    (event) => {
      followActor(event)
      if (changesAccess(event)) void authoriseAgain().catch((error: unknown) => log.error('subscriptions not authorized again', { error }))
      if (event.action === 'delete') rememberDeleted(event)
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

  /**
   * Returns true when realtime clients subscribe to the collection with this name, or to a view of it (for `users` also `_superusers`).
   * Otherwise its events are not delivered.
   */
  const isShown = (name: string): boolean => isWatched(name) || (viewsOf.get(name) ?? []).some((view) => audience.has(view))

  function rememberDeleted({ collection, record }: RecordEvent): void {
    deletedRecords.set(`${collection} ${record.id}`, record)
    const [oldest] = deletedRecords.keys()
    if (deletedRecords.size > MOST_DELETED_RECORDS && oldest !== undefined) deletedRecords.delete(oldest)
  }

  /**
   * Updates open event streams after a change of an account's record. They become guest streams if the account was deleted or has a new
   * `tokenKey`, which ends its sessions.
   */
  function followActor(event: RecordEvent): void {
    if (event.collection !== 'users') return
    const { action, record } = event
    for (const client of clients.values()) {
      if (client.actor?.id !== record.id) continue
      setSubscriptions(client, action === 'delete' || record['tokenKey'] !== client.actor['tokenKey'] ? undefined : record)
    }
  }

  function setSubscriptions(client: Client, actor: Actor, topics: readonly Topic[] = [...client.topics.values()]): void {
    audience.leave(client, client.actor, client.topics.values())
    client.actor = actor
    client.topics.clear()
    for (const topic of topics) client.topics.set(topic.text, topic)
    audience.join(client, actor, topics)
    bus.noteWatches()
  }

  /**
   * Returns the account object with equal content that an open event stream has already, otherwise `actor` itself. Views compare accounts
   * by object identity, so equal accounts must be one object.
   */
  function sameAccount(actor: Actor): Actor {
    const other = clients.values().find((client) => client.actor !== undefined && client.actor.id === actor?.id)?.actor
    return other !== undefined && JSON.stringify(other) === JSON.stringify(actor) ? other : actor
  }

  /**
   * Checks again for all open event streams whether they may subscribe to their custom topics, after access has changed. Ends the
   * subscriptions that are not allowed any more.
   */
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
    for (const shown of eventsWithViews(engine.collections, event)) await deliver(shown)
  }

  async function deliver(event: RecordEvent): Promise<void> {
    const collection = engine.collections.find(event.collection)
    if (collection === undefined) return
    const looking = [...audience.of(collection)].filter(({ view: { topic } }) => topic.rest === '*' || topic.rest === event.record.id)
    if (looking.length === 0) return
    const look = eventTextsOf(engine, event, (name, id) => deletedRecords.get(`${name} ${id}`))
    const seen = await Promise.all(
      looking.map(async ({ view, subscribers }) => ({ text: view.topic.text, subscribers, data: await look(view).catch(logViewError) })),
    )
    for (const { text, subscribers, data } of seen) {
      if (data === undefined) continue
      const frame = { event: text, data, action: event.action }
      for (const { stream } of subscribers) stream.send(`${text} ${event.record.id}`, frame)
    }
  }

  /**
   * Logs an error that stops the delivery of one event to one view (realtime topic as one account sees it). Returns `undefined`, so that
   * this view gets no event; all other views do.
   */
  function logViewError(error: unknown): undefined {
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
      const random = randomBytes(CLIENT_ID_BYTES).toString('base64url')
      const id = hub === undefined ? random : `${hub}.${random}`
      const ended = (): void => {
        const names = [...client.topics.values()].map(({ name }) => name)
        clients.delete(id)
        slot.release()
        setSubscriptions(client, undefined, [])
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
      const topics = parseTopics(texts)
      if (client.actor !== undefined && client.actor.id !== actor?.id) {
        throw new RecordError(403, "The current and the previous request authorization don't match.")
      }
      if (actor !== undefined) {
        client.slot.countFor(actor.id)
        client.reader.onAccount(actor.id)
      }
      client.session = session
      setSubscriptions(client, sameAccount(actor))
      const may = await Promise.all(topics.map((topic) => permitted(topic, actor)))
      if (!clients.has(clientId)) return
      const before = [...client.topics.values()].map(({ name }) => name)
      // The account may have changed in the meantime; then the topics are authorised again.
      setSubscriptions(
        client,
        client.actor,
        topics.filter((_, at) => may[at] === true),
      )
      if (client.actor?.id !== actor?.id) await authoriseAgain()
      announce([...before, ...topics.map(({ name }) => name)])
    },

    endSessions(sessions) {
      for (const client of clients.values())
        if (client.session !== undefined && sessions.has(client.session)) setSubscriptions(client, undefined)
      void authoriseAgain().catch((error: unknown) => log.error('subscriptions not authorized again', { error }))
    },

    topic(own) {
      ownTopics.set(own.name, own)
      return (data, accepts = () => true) => {
        const text = JSON.stringify(data)
        for (const { stream, topics, actor } of clients.values()) {
          for (const topic of topics.values()) {
            if (topic.name === own.name && accepts(topic, actor)) stream.send(topic.text, { event: topic.text, data: text })
          }
        }
      }
    },

    sendToClient(clientId, text, data) {
      const client = clients.get(clientId)
      if (client === undefined || !client.topics.has(text)) return false
      client.stream.send(text, { event: text, data: JSON.stringify(data) })
      setSubscriptions(
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
      // Closing a stream deletes its client, which a Map allows during iteration.
      for (const { stream } of clients.values()) stream.close()
    },
  }
}

/**
 * Returns true when a record event may change who may use a custom realtime topic. That is any event of an account, the deletion of a
 * system, or a change of its users or of its tags that give access.
 */
function changesAccess(event: RecordEvent): boolean {
  const { collection, action } = event
  if (collection === 'users') return true
  if (collection !== 'systems' || action === 'create') return false
  const { record, previous } = event
  return action === 'delete' || givesOthersAccess(record, previous)
}

/** Names of the fields of a system's record that decide which users have access to it: `users`, `accessTags`. */
const accessFields = ['users', 'accessTags'] as const

const givesOthersAccess = (record: StoredRecord, previous: StoredRecord | undefined): boolean =>
  accessFields.some((field) => record[field] !== previous?.[field] && JSON.stringify(record[field]) !== JSON.stringify(previous?.[field]))
