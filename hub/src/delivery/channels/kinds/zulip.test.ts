import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressError } from '../address.ts'
import { readChannel, sendToChannel } from '../channels.ts'
import { httpPeer } from '../../../../test/http-peer.ts'
import { answered, message, NOW_MS, requestBy, verdictBy, webPushKey } from '../../../../test/told-channel.ts'

const ADDRESS = 'zulip://bot%40chat.example:S3cretK3y@chat.example/?stream=alerts&topic=monitoring'
type Given = Parameters<typeof requestBy>[1]
const fieldsBy = (address: string, given: Given = {}) => Object.fromEntries(new URLSearchParams(String(requestBy(address, given).body)))

test('zulip: sends to the stream and topic of the address, with the bot’s credentials', () => {
  const { url, method, headers } = requestBy(ADDRESS)
  assert.deepEqual([url, method], ['https://chat.example/api/v1/messages', 'POST'])
  assert.equal(headers['authorization'], `Basic ${Buffer.from('bot@chat.example:S3cretK3y').toString('base64')}`)
  assert.deepEqual(fieldsBy(ADDRESS, { message: { title: 'A\n`b`', body: '@**all** ```\n*c*' } }), {
    type: 'stream',
    to: 'alerts',
    topic: 'monitoring',
    content: '```text\nA `\u2060b`\u2060\n\n@\u2060**all** `\u2060`\u2060`\u2060\n*c*\n```\nhttps://hub.example/system/abc',
  })
})

test('zulip: without stream and topic, the bot’s default stream and a topic of the system are used', () => {
  const fields = fieldsBy('zulip://b%40h:k@chat.example:8443', { message: { systemName: 's'.repeat(80) } })
  assert.deepEqual(Object.keys(fields), ['type', 'topic', 'content'])
  assert.equal(fields['topic'], `${'s'.repeat(59)}…`)
  assert.equal(fieldsBy('zulip://b%40h:k@h', { message: { systemName: ' ' } })['topic'], 'Vedette')
  assert.equal(requestBy('zulip://b%40h:k@chat.example:8443').url, 'https://chat.example:8443/api/v1/messages')
})

test('zulip: a message has at most 10,000 characters', () => {
  const fields = fieldsBy(ADDRESS, { message: { title: '`'.repeat(900), body: '@'.repeat(90_000) } })
  assert.ok((fields['content'] ?? '').length <= 10_000)
})

test('zulip: a real server receives the form, and no error shows the key', async () => {
  await using peer = await httpPeer(({ headers }) => ({ status: 401, body: JSON.stringify({ msg: `bad ${headers.authorization}` }) }))
  const channel = readChannel(`zulip://bot%40h:S3cretK3y@127.0.0.1:${peer.port}/?scheme=http&stream=a`, webPushKey)
  const verdict = await sendToChannel(channel, message, { nowMs: NOW_MS, reached: [], mayAskInternal: true })
  assert.deepEqual(verdict, { outcome: 'refused', reason: 'the server answered with status 401: bad Basic ***', reached: [] })
  assert.equal(new URLSearchParams(peer.received[0]?.body).get('to'), 'a')
})

for (const [status, body, outcome, afterMs] of [
  [200, { result: 'success', id: 42 }, 'delivered', undefined],
  [400, { result: 'error', code: 'STREAM_DOES_NOT_EXIST', msg: "Stream 'x' does not exist" }, 'refused', undefined],
  [403, { result: 'error', msg: 'Account is deactivated' }, 'refused', undefined],
  [429, { result: 'error', code: 'RATE_LIMIT_HIT', 'retry-after': 28.7 }, 'later', 28_700],
  [502, '', 'later', undefined],
] as const)
  test(`zulip: status ${status} is ${outcome}`, () => {
    const verdict = verdictBy(ADDRESS, answered(status, body))
    assert.deepEqual([verdict.outcome, 'afterMs' in verdict ? verdict.afterMs : undefined], [outcome, afterMs])
  })

for (const address of ['zulip://chat.example', 'zulip://bot@chat.example', 'zulip://:key@chat.example', 'zulip://bot:key@/'])
  test(`zulip refuses ${address}`, () => assert.throws(() => requestBy(address), AddressError))
