import assert from 'node:assert/strict'
import type {
  ChannelAnswer,
  ChannelRequest,
  MqttPublication,
  WebPushKey,
  Verdict,
  ChannelMessage,
} from '../src/delivery/channels/channel.ts'
import { readChannel } from '../src/delivery/channels/channels.ts'
import { hubPushKey } from '../src/delivery/channels/vapid.ts'
import { secretBox } from '../src/platform/secrets/secret-box.ts'

export const webPushKey: WebPushKey = hubPushKey(secretBox(Buffer.alloc(32, 7)))

const linkless: ChannelMessage = {
  key: 'k3yk3yk3yk3yk3yk3yk3',
  title: 'CPU above threshold on <db> & co.',
  body: 'CPU averaged 93.20% for the previous 10 minutes.\n@everyone look at *this*',
  severity: 'firing',
  systemName: 'db',
}

export const message = { ...linkless, link: 'https://hub.example/system/abc' }

export const NOW_MS = 1_700_000_000_000

export const answered = (status: number, body: object | string = ''): ChannelAnswer => ({
  status,
  text: typeof body === 'string' ? body : JSON.stringify(body),
})

type SentMessage = { readonly requests: readonly ChannelRequest[]; readonly verdict: Verdict }

type Given = {
  readonly answers?: readonly ChannelAnswer[]
  readonly hasLink?: boolean
  readonly message?: Partial<ChannelMessage>
  readonly reached?: readonly string[]
}

/** Runs a channel for one message: its requests, and its verdict on the given responses, then on empty responses with status 200. */
export function toldBy(address: string, given: Given = {}): SentMessage {
  const { hasLink = true } = given
  const channel = readChannel(address, webPushKey)
  assert.ok('send' in channel)
  const talk = channel.send({ ...(hasLink ? message : linkless), ...given.message }, { nowMs: NOW_MS, reached: given.reached ?? [] })
  const requests: ChannelRequest[] = []
  let step = talk.next()
  while (!step.done) {
    const answer = given.answers?.[requests.length] ?? answered(200)
    requests.push(step.value)
    step = talk.next(answer)
  }
  return { requests, verdict: step.value }
}

/** The one request for a message. */
export function requestBy(address: string, given: Given = {}): ChannelRequest {
  const [request, ...others] = toldBy(address, given).requests
  assert.ok(request !== undefined && others.length === 0)
  return request
}

/** The JSON of the one request for a message. */
export function jsonBy(address: string, given: Given = {}): Record<string, unknown> {
  const { body } = requestBy(address, given)
  assert.ok(typeof body === 'string')
  const parsed: unknown = JSON.parse(body)
  assert.ok(typeof parsed === 'object' && parsed !== null)
  return Object.fromEntries(Object.entries(parsed))
}

/** The channel's verdict on one response to its first request. */
export const verdictBy = (address: string, answer: ChannelAnswer): Verdict => toldBy(address, { answers: [answer] }).verdict

/** Returns the publication of a channel to an MQTT broker for a message. */
export function publicationBy(address: string, given: Given = {}): MqttPublication {
  const channel = readChannel(address, webPushKey)
  assert.ok('publication' in channel)
  return channel.publication({ ...(given.hasLink === false ? linkless : message), ...given.message })
}
