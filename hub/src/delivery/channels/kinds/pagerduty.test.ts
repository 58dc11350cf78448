import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressError } from '../address.ts'
import type { MessageIncident } from '../channel.ts'
import { readChannel, sendToChannel } from '../channels.ts'
import { httpPeer } from '../../../../test/http-peer.ts'
import { answered, jsonBy, message, NOW_MS, requestBy, toldBy, verdictBy, webPushKey } from '../../../../test/told-channel.ts'

const KEY = '0123456789abcdef0123456789abcdef'
const ADDRESS = `pagerduty:///${KEY}`
const incident = (id: string, severity: 'firing' | 'resolved' = 'firing'): MessageIncident => ({
  id,
  title: `CPU of ${id}`,
  body: `CPU of ${id} is 97%.`,
  severity,
  systemName: 'db',
})
const eventsBy = (incidents: readonly MessageIncident[], reached: readonly string[] = []) =>
  toldBy(ADDRESS, { message: { incidents }, reached }).requests.map(({ body }) => JSON.parse(String(body)))

for (const [address, url] of [
  [ADDRESS, 'https://events.pagerduty.com/v2/enqueue'],
  [`pagerduty://events.pagerduty.com:443/${KEY}?severity=error&source=x&action=trigger`, 'https://events.pagerduty.com:443/v2/enqueue'],
  [`pagerduty://events.eu.pagerduty.com/${KEY}`, 'https://events.eu.pagerduty.com/v2/enqueue'],
] as const)
  test(`pagerduty: sends to the server of ${address.slice(0, 40)}`, () => assert.equal(requestBy(address).url, url))

test('pagerduty: an alert triggers an event with the alert’s key, its text and the link', () =>
  assert.deepEqual(jsonBy(ADDRESS, { message: { incidents: [incident('i1')] } }), {
    routing_key: KEY,
    dedup_key: 'i1',
    event_action: 'trigger',
    client: 'Vedette',
    client_url: message.link,
    links: [{ href: message.link, text: 'View db' }],
    payload: { summary: 'CPU of i1', source: 'db', severity: 'critical', custom_details: { text: 'CPU of i1 is 97%.' } },
  }))

test('pagerduty: the end of an alert resolves the event with the same key', () =>
  assert.deepEqual(jsonBy(ADDRESS, { message: { severity: 'resolved', incidents: [incident('i1', 'resolved')] } }), {
    routing_key: KEY,
    dedup_key: 'i1',
    event_action: 'resolve',
  }))

test('pagerduty: a message about several alerts is one event for each, in its last state', () => {
  const events = eventsBy([incident('i1'), incident('i2'), incident('i1', 'resolved')])
  assert.deepEqual(
    events.map((event) => [event.dedup_key, event.event_action]),
    [
      ['i1', 'resolve'],
      ['i2', 'trigger'],
    ],
  )
})

test('pagerduty: a message about no alert is an event of the severity "info" with the message’s key', () => {
  const event = jsonBy(ADDRESS, { message: { severity: 'info', systemName: '' } })
  assert.partialDeepStrictEqual(event, {
    dedup_key: message.key,
    event_action: 'trigger',
    payload: { severity: 'info', source: 'Vedette' },
  })
})

test('pagerduty: the address sets the severity and the source', () =>
  assert.partialDeepStrictEqual(jsonBy(`${ADDRESS}?severity=warning&source=rack-1`), {
    payload: { severity: 'warning', source: 'rack-1' },
  }))

test('pagerduty: an event has the sizes that the service accepts', () => {
  const long = { ...incident('i'.repeat(900)), title: 'T'.repeat(5000), body: '\u0000😀'.repeat(90_000), systemName: 's'.repeat(900) }
  const [event] = eventsBy([long])
  assert.ok(event.payload.summary.length <= 1024 && event.payload.source.length <= 255 && event.dedup_key.length <= 255)
  assert.ok(JSON.stringify(event).length < 512_000)
})

test('pagerduty: the next attempt continues after the events that were sent', () => {
  const incidents = [incident('i1'), incident('i2'), incident('i3')]
  const { requests, verdict } = toldBy(ADDRESS, { message: { incidents }, answers: [answered(202), answered(429)] })
  assert.equal(requests.length, 2)
  assert.deepEqual([verdict.outcome, verdict.reached], ['later', ['i1']])
  assert.deepEqual(
    eventsBy(incidents, ['i1']).map((event) => event.dedup_key),
    ['i2', 'i3'],
  )
})

test('pagerduty: an attempt sends at most 100 events, and a later one the others', () => {
  const incidents = Array.from({ length: 250 }, (_, at) => incident(`i${at}`))
  const first = toldBy(ADDRESS, { message: { incidents } })
  assert.deepEqual([first.requests.length, first.verdict.outcome, first.verdict.reached.length], [100, 'later', 100])
  const last = toldBy(ADDRESS, { message: { incidents }, reached: incidents.slice(0, 200).map(({ id }) => id) })
  assert.deepEqual([last.requests.length, last.verdict.outcome], [50, 'delivered'])
})

test('pagerduty: a refused event does not hold back the others', () => {
  const { requests, verdict } = toldBy(ADDRESS, { message: { incidents: [incident('i1'), incident('i2')] }, answers: [answered(400)] })
  assert.deepEqual([requests.length, verdict.outcome], [2, 'refused'])
})

test('pagerduty: a real server receives the event, and its Retry-After is obeyed', async () => {
  await using peer = await httpPeer((_received, before) =>
    before === 0
      ? { status: 429, headers: { 'retry-after': '30' } }
      : { status: 202, body: '{"status":"success","message":"Event processed"}' },
  )
  const channel = readChannel(`pagerduty://127.0.0.1:${peer.port}/${KEY}?scheme=http`, webPushKey)
  const send = () => sendToChannel(channel, message, { nowMs: NOW_MS, reached: [], mayAskInternal: true })
  assert.deepEqual(await send(), { outcome: 'later', reason: 'the server answered with status 429', afterMs: 30_000, reached: [] })
  assert.equal((await send()).outcome, 'delivered')
  assert.deepEqual([peer.received[1]?.url, peer.received[1]?.headers['content-type']], ['/v2/enqueue', 'application/json'])
})

for (const [status, body, outcome, reason] of [
  [202, { status: 'success' }, 'delivered', undefined],
  [
    400,
    { status: 'invalid event', message: 'Event object is invalid', errors: ["Length of 'routing_key' is incorrect", 7] },
    'refused',
    "the server answered with status 400: Event object is invalid: Length of 'routing_key' is incorrect",
  ],
  [429, '', 'later', 'the server answered with status 429'],
  [500, 'not json', 'later', 'the server answered with status 500'],
] as const)
  test(`pagerduty: status ${status} is ${outcome}`, () => {
    const verdict = verdictBy(ADDRESS, answered(status, body))
    assert.deepEqual([verdict.outcome, 'reason' in verdict ? verdict.reason : undefined], [outcome, reason])
  })

for (const address of ['pagerduty://events.pagerduty.com', 'pagerduty:///a%20b', `${ADDRESS}?severity=fatal`, `${ADDRESS}?scheme=ftp`])
  test(`pagerduty refuses ${address}`, () => assert.throws(() => requestBy(address), AddressError))
