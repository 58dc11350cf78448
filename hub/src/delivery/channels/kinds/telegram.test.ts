import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressError } from '../address.ts'
import { answered, message, requestBy, toldBy, verdictBy } from '../../../../test/told-channel.ts'

const one = 'telegram://110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw@telegram?chats=-100123'

test('telegram: sends plain text whose title is bold by an entity', () => {
  const { url, body } = requestBy(`${one}&preview=no&notification=no`)
  assert.equal(url, 'https://api.telegram.org/bot110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/sendMessage')
  assert.deepEqual(JSON.parse(String(body)), {
    chat_id: '-100123',
    text: `${message.title}\n\n${message.body.replace('@', '@\u2060')}\n\n${message.link}`,
    entities: [{ type: 'bold', offset: 0, length: message.title.length }],
    link_preview_options: { is_disabled: true },
    disable_notification: true,
  })
})

test('telegram: sends to each chat, and a retry skips the chats that have the message', () => {
  const address = `${one},@channel:7`
  const ids = (told: ReturnType<typeof toldBy>) => told.requests.map(({ body }) => JSON.parse(String(body)))
  const first = toldBy(address, { answers: [answered(200, { ok: true }), answered(500)] })
  assert.deepEqual(
    ids(first).map(({ chat_id, message_thread_id }) => [chat_id, message_thread_id]),
    [
      ['-100123', undefined],
      ['@channel', 7],
    ],
  )
  assert.deepEqual(first.verdict, { outcome: 'later', reason: '@channel:7: the server answered with status 500', reached: ['-100123'] })
  const second = toldBy(address, { reached: first.verdict.reached })
  assert.deepEqual(
    ids(second).map(({ chat_id }) => chat_id),
    ['@channel'],
  )
  assert.deepEqual(second.verdict, { outcome: 'delivered', reached: ['-100123', '@channel:7'] })
})

for (const [status, body, verdict] of [
  [200, { ok: true }, { outcome: 'delivered', reached: ['-100123'] }],
  [
    429,
    { ok: false, description: 'Too Many Requests: retry after 35', parameters: { retry_after: 35 } },
    { outcome: 'later', reason: 'the server answered with status 429: Too Many Requests: retry after 35', afterMs: 35_000, reached: [] },
  ],
  [
    403,
    { ok: false, description: 'Forbidden: bot was blocked by the user' },
    { outcome: 'refused', reason: 'the server answered with status 403: Forbidden: bot was blocked by the user', reached: [] },
  ],
] as const)
  test(`telegram: status ${status} is ${verdict.outcome}`, () => assert.deepEqual(verdictBy(one, answered(status, body)), verdict))

for (const address of [
  'telegram://12:a@telegram',
  'telegram://abc@telegram?chats=1',
  'telegram://1:a/b@telegram?chats=1',
  'telegram://1:a@telegram?chats=some body',
])
  test(`telegram refuses ${address}`, () => assert.throws(() => requestBy(address), AddressError))
