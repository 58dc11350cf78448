import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressError } from '../address.ts'
import { answered, jsonBy, requestBy, verdictBy } from '../../../../test/told-channel.ts'

test('discord: sends the message to the webhook of the address', () => {
  const request = requestBy('discord://to-Ken_1@693853386302554172?thread_id=12&username=Watch&avatar=https://a.example/b.png')
  assert.equal(request.method, 'POST')
  assert.equal(request.url, 'https://discord.com/api/webhooks/693853386302554172/to-Ken_1?wait=true&thread_id=12')
  assert.deepEqual(jsonBy('discord://to-Ken_1@1?username=Watch&avatar=https://a.example/b.png'), {
    content: String.raw`**CPU above threshold on \<db\> \& co\.**`,
    embeds: [
      {
        description: 'CPU averaged 93\\.20\\% for the previous 10 minutes\\.\n\\@everyone look at \\*this\\*',
        color: 0xd9_2d_20,
        title: 'View db',
        url: 'https://hub.example/system/abc',
      },
    ],
    allowed_mentions: { parse: [] },
    username: 'Watch',
    avatar_url: 'https://a.example/b.png',
  })
})

for (const [status, body, verdict] of [
  [200, { id: '1' }, { outcome: 'delivered', reached: [] }],
  [
    429,
    { message: 'You are being rate limited.', retry_after: 0.3 },
    { outcome: 'later', reason: 'the server answered with status 429: You are being rate limited.', afterMs: 300, reached: [] },
  ],
  [
    404,
    { message: 'Unknown Webhook', code: 10015 },
    { outcome: 'refused', reason: 'the server answered with status 404: Unknown Webhook', reached: [] },
  ],
  [502, 'gateway', { outcome: 'later', reason: 'the server answered with status 502', reached: [] }],
] as const)
  test(`discord: status ${status} is ${verdict.outcome}`, () =>
    assert.deepEqual(verdictBy('discord://t@1', answered(status, body)), verdict))

for (const address of ['discord://1', 'discord://t@', 'discord:'])
  test(`discord refuses ${address}`, () => assert.throws(() => requestBy(address), AddressError))
