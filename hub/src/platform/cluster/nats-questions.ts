import { randomBytes } from 'node:crypto'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { z } from 'zod'
import type { Log } from '../log.ts'
import { HubUnreachableError, type HubMessages, type Respond } from './hub-messages.ts'
import type { LinkMessage, NatsLink } from './nats-link.ts'

const MOST_AT_ONCE = 1000
/**
 * Maximum size of another hub's response to a request, in bytes (16 MiB). A larger one makes the request fail; logs of a container are the
 * largest usual response.
 */
const MOST_RESPONSE_BYTES = 16 * 1024 * 1024
/**
 * Time limit for handling another hub's request, in ms (2 min). After it, the abort signal of the handler aborts. All timeouts of the
 * requesting hub are shorter, so it has given up or died.
 */
const LONGEST_MS = 120_000
/** Status code (503) of NATS for a request whose subject has no subscriber ("no responders"): the other hub is not connected. */
const NO_RESPONDERS = 503

const responseSchema = z.discriminatedUnion('isOk', [
  z.object({ isOk: z.literal(true), body: z.json() }),
  z.object({ isOk: z.literal(false), reason: z.string().max(1000) }),
])

type Asking = {
  readonly parts: Uint8Array[]
  bytes: number
  readonly resolve: (body: Json) => void
  readonly reject: (reason: string, cause?: unknown) => void
}

export type QuestionParts = {
  readonly link: NatsLink
  readonly prefix: string
  /** Id of this hub, part of the NATS subject on which it receives requests. */
  readonly hub: string
  readonly log: Log
}

/**
 * Creates the functions `ask` and `answer`, which send and handle requests between hubs over NATS. Each request has its own reply subject,
 * on which the response may arrive in several parts.
 */
export function natsQuestions({ link, prefix, hub, log }: QuestionParts): Pick<HubMessages, 'ask' | 'answer'> {
  const asking = new Map<string, Asking>()
  const answering = new Map<string, AbortController>()
  /**
   * Start of the NATS subjects on which this process receives responses to its requests. It ends with a random part, so that a late
   * response to an earlier process of this hub does not match.
   */
  const replies = `${prefix}.reply.${hub}.${randomBytes(8).toString('hex')}`
  let asked = 0

  link.listen(`${replies}.>`, (message) => {
    const [token = '', part = '0', count = '1'] = message.subject.slice(replies.length + 1).split('.')
    const waiting = asking.get(token)
    if (waiting === undefined) return
    if (message.headers?.code === NO_RESPONDERS) return waiting.reject('The other hub is not connected')
    waiting.bytes += message.data.length
    if (waiting.bytes > MOST_RESPONSE_BYTES || Number(part) !== waiting.parts.length)
      return waiting.reject('The response of the other hub is damaged')
    waiting.parts.push(message.data)
    if (waiting.parts.length === Number(count)) finish(waiting)
  })
  link.listen(`${prefix}.cancel.${hub}`, ({ data }) => answering.get(Buffer.from(data).toString('utf8'))?.abort())
  link.onConnection((isConnected) => {
    if (isConnected) return
    for (const { reject } of asking.values()) reject('The connection to the other hubs was lost')
    for (const controller of answering.values()) controller.abort()
  })

  function finish({ parts, resolve, reject }: Asking): void {
    const response = readResponse(Buffer.concat(parts))
    if (response?.isOk === true) resolve(response.body)
    else reject(response?.reason ?? 'The response of the other hub is damaged')
  }

  async function respondTo({ reply, data }: LinkMessage, respond: Respond): Promise<void> {
    if (reply === undefined || reply === '' || !reply.startsWith(`${prefix}.reply.`)) return
    if (answering.size >= MOST_AT_ONCE) return send(reply, { isOk: false, reason: 'The other hub is busy' })
    const controller = new AbortController()
    answering.set(reply, controller)
    const timer = setTimeout(() => controller.abort(), LONGEST_MS).unref()
    try {
      const body = z.json().parse(JSON.parse(Buffer.from(data).toString('utf8')))
      send(reply, { isOk: true, body: await respond(body, controller.signal) })
    } catch (error) {
      if (controller.signal.aborted) return
      log.error('request from another hub failed', { error })
      send(reply, { isOk: false, reason: 'The other hub could not answer' })
    } finally {
      clearTimeout(timer)
      answering.delete(reply)
    }
  }

  function send(reply: string, response: Json): void {
    const bytes = new TextEncoder().encode(JSON.stringify(response))
    if (bytes.length > MOST_RESPONSE_BYTES) return send(reply, { isOk: false, reason: 'The response is too large' })
    const size = link.mostBytes()
    const count = Math.ceil(bytes.length / size)
    for (let part = 0; part < count; part++) link.send(`${reply}.${part}.${count}`, bytes.subarray(part * size, (part + 1) * size))
  }

  return {
    ask(to, question, body, signal) {
      const token = String(++asked)
      const { promise, resolve, reject } = Promise.withResolvers<Json>()
      const end = (): void => {
        asking.delete(token)
        signal.removeEventListener('abort', giveUp)
      }
      const fail = (reason: string, cause?: unknown): void => {
        end()
        reject(new HubUnreachableError(reason, { cause }))
      }
      const giveUp = (): void => {
        fail('The other hub did not respond in time', signal.reason)
        link.send(`${prefix}.cancel.${to}`, new TextEncoder().encode(`${replies}.${token}`))
      }
      const succeed = (response: Json): void => {
        end()
        resolve(response)
      }
      if (signal.aborted || asking.size >= MOST_AT_ONCE) {
        fail(signal.aborted ? 'The other hub did not respond in time' : 'Too many questions to other hubs are under way', signal.reason)
        return promise
      }
      signal.addEventListener('abort', giveUp)
      asking.set(token, { parts: [], bytes: 0, resolve: succeed, reject: fail })
      const data = new TextEncoder().encode(JSON.stringify(body))
      const isSent = data.length <= link.mostBytes() && link.send(`${prefix}.hub.${to}.${question}`, data, `${replies}.${token}`)
      if (!isSent) fail('The other hub is not connected')
      return promise
    },
    answer: (question, respond) => link.listen(`${prefix}.hub.${hub}.${question}`, (message) => void respondTo(message, respond)),
  }
}

function readResponse(bytes: Buffer): { isOk: true; body: Json } | { isOk: false; reason: string } | undefined {
  try {
    return responseSchema.parse(JSON.parse(bytes.toString('utf8')))
  } catch {
    return undefined
  }
}
