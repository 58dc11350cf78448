import { z } from 'zod'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { HubUnreachableError, type HubMessages } from '../../platform/cluster/hub-messages.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import { parseJson } from '../../platform/json.ts'
import { firstTime } from '../../platform/limits/first-time.ts'
import type { Log } from '../../platform/log.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { RecordError } from '../../records/model/record-error.ts'
import type { Realtime } from '../../records/realtime/realtime.ts'
import { STREAM_REQUESTS } from './relevant-changes.ts'

const QUESTION = 'stream'
const TIMEOUT_MS = 3_000
/**
 * Schema of a text of at most 10,000 characters in a request from one hub to another, such as a topic. Real ones are shorter; a longer text
 * makes the request invalid.
 */
const text = z.string().max(10_000)

const requestSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('subscribe'),
    clientId: text,
    topics: z.array(text).max(10_000).readonly(),
    account: text,
    session: text.optional(),
  }),
  z.object({ kind: z.literal('send'), clientId: text, topic: text, data: z.custom<Json>() }),
])
type StreamRequest = z.infer<typeof requestSchema>

const resultSchema = z.object({ status: z.int().min(400).max(599), message: text }).nullable()

type StreamParts = {
  /** Realtime service for the event streams that clients have open at this hub. Their client ids begin with this hub's id. */
  readonly realtime: Realtime
  readonly hub: string
  /**
   * Function that returns the hubs that are alive now, each with its `id`. A request for an event stream whose client id begins with no
   * such id fails as for an unknown stream.
   */
  readonly living: () => readonly { readonly id: string }[]
  readonly messages: Pick<HubMessages, 'ask' | 'answer'>
  readonly engine: Pick<Engine, 'database' | 'store' | 'secrets'>
  readonly bus: EventBus
  readonly log: Log
}

/**
 * Extends the event streams of this hub to those of all hubs. A subscribe request for another hub's stream is passed on by message, or by
 * the database when messages fail. A guest's request then throws 503 instead. Data for a client is passed on by message only. Returns the
 * extended realtime service and the function that stops this.
 */
export function streamsOfHubs({ realtime, hub, living, messages, engine, bus, log }: StreamParts): {
  realtime: Realtime
  stop: () => void
} {
  const { database, store, secrets } = engine
  const isFirst = firstTime()
  const hubOf = (clientId: string): string => clientId.split('.', 1)[0] ?? ''
  const isElsewhere = (clientId: string): boolean => hubOf(clientId) !== hub && living().some(({ id }) => id === hubOf(clientId))
  const seal = (request: StreamRequest): string => secrets.seal(QUESTION, JSON.stringify(request))

  /**
   * Sends `request` (subscribe to topics, or send data to a client) to the hub whose id begins the request's `clientId`. Resolves when that
   * hub has done it. Rejects with {@link HubUnreachableError} or an error of `Realtime.subscribe`.
   */
  async function ask(request: StreamRequest): Promise<void> {
    const response = await messages.ask(hubOf(request.clientId), QUESTION, seal(request), AbortSignal.timeout(TIMEOUT_MS))
    const { success, data: refusal } = resultSchema.safeParse(response)
    if (!success) throw new HubUnreachableError('Cannot read the response of another hub')
    if (refusal !== null) throw new RecordError(refusal.status, refusal.message)
  }

  async function pass(request: StreamRequest): Promise<void> {
    try {
      await ask(request)
    } catch (error) {
      if (!(error instanceof HubUnreachableError)) throw error
      // Guests must not fill the database: without messages, their requests and sign-ins at a provider need the hub of their stream.
      if (request.kind === 'send' || request.account === '') throw new RecordError(503, 'The hub of this stream does not respond.')
      const record = { id: request.clientId, request: seal(request) }
      await database.write(async (unit) => unit.emit({ action: 'update', collection: STREAM_REQUESTS, record }))
    }
  }

  async function carryOut(sealed: Json | undefined): Promise<void> {
    const sent = parseJson(secrets.open(QUESTION, typeof sealed === 'string' ? sealed : ''))
    const { success, data: request } = requestSchema.safeParse(sent)
    if (!success) {
      if (isFirst(QUESTION)) log.warn('requests of another hub refused: this version cannot read them')
      throw new RecordError(503, 'The hub of this stream does not know this request; its version is older.')
    }
    if (hubOf(request.clientId) !== hub) return
    if (request.kind === 'send') {
      realtime.sendToClient(request.clientId, request.topic, request.data)
      return
    }
    const { clientId, topics, account, session } = request
    const actor = account === '' ? undefined : await store.load('users', account)
    // For an account that was deleted meanwhile, the subscription must not become a guest's.
    if (account === '' || actor !== undefined) await realtime.subscribe(clientId, topics, actor, session)
  }

  async function respond(sealed: Json): Promise<Json> {
    try {
      await carryOut(sealed)
      return null
    } catch (error) {
      if (error instanceof RecordError) return { status: error.status, message: error.message }
      throw error
    }
  }

  const stopAnswering = messages.answer(QUESTION, respond)
  const unsubscribe = bus.subscribe([STREAM_REQUESTS], ({ record }) => {
    if (hubOf(record.id) !== hub) return
    carryOut(record['request']).catch((error: unknown) => log.warn('request for an event stream failed', { error }))
  })
  return {
    realtime: {
      ...realtime,
      async subscribe(clientId, topics, actor, session) {
        if (!isElsewhere(clientId)) return realtime.subscribe(clientId, topics, actor, session)
        const request = { kind: 'subscribe', clientId, topics, account: actor?.id ?? '' } as const
        await pass(session === undefined ? request : { ...request, session })
      },
      sendToClient(clientId, topic, data) {
        if (!isElsewhere(clientId)) return realtime.sendToClient(clientId, topic, data)
        pass({ kind: 'send', clientId, topic, data }).catch((error: unknown) =>
          log.warn('data for an event stream not forwarded', { error }),
        )
        return true
      },
    },
    stop() {
      stopAnswering()
      unsubscribe()
    },
  }
}
