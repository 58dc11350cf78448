import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressError } from '../address.ts'
import { answered, jsonBy, requestBy, verdictBy } from '../../../../test/told-channel.ts'

const content = {
  text: 'CPU above threshold on &lt;db&gt; &amp; co.',
  mrkdwn: false,
  parse: 'none',
  link_names: false,
  unfurl_links: false,
  attachments: [
    {
      color: '#d92d20',
      fallback: 'CPU averaged 93.20% for the previous 10 minutes.\n@everyone look at *this*',
      text: 'CPU averaged 93.20% for the previous 10 minutes.\n@everyone look at *this*',
      mrkdwn_in: [],
      title: 'View db',
      title_link: 'https://hub.example/system/abc',
    },
  ],
}

for (const address of [
  'slack://hook:WNA3PBYV6-F20DUQND3RQ-Webc4MAvoacrpPakR8phF0zi@webhook',
  'slack://WNA3PBYV6/F20DUQND3RQ/Webc4MAvoacrpPakR8phF0zi',
  'slack://hook:WNA3PBYV6,F20DUQND3RQ,Webc4MAvoacrpPakR8phF0zi@webhook',
])
  test(`slack: sends to the webhook of ${address.slice(0, 20)}`, () => {
    assert.equal(requestBy(address).url, 'https://hooks.slack.com/services/WNA3PBYV6/F20DUQND3RQ/Webc4MAvoacrpPakR8phF0zi')
    assert.deepEqual(jsonBy(address), content)
  })

test('slack: a bot token posts to its channel', () => {
  const address =
    'slack://xoxb:123456789012-1234567890123-4mt0t4l1YL3g1T5L4cK70k3N@C001CH4NN3L?icon=man-scientist&botname=Watch&color=%23ff8000'
  const request = requestBy(address)
  assert.equal(request.url, 'https://slack.com/api/chat.postMessage')
  assert.equal(request.headers['authorization'], 'Bearer xoxb-123456789012-1234567890123-4mt0t4l1YL3g1T5L4cK70k3N')
  const attachments = content.attachments.map((one) => ({ ...one, color: '#ff8000' }))
  assert.deepEqual(jsonBy(address), { ...content, attachments, channel: 'C001CH4NN3L', username: 'Watch', icon_emoji: 'man-scientist' })
})

test('slack: a name before the first part of a webhook is the user name', () =>
  assert.deepEqual(jsonBy('slack://Watch@AAAAAAAAA/BBBBBBBBB/cccccccccccccccccccccccc'), { ...content, username: 'Watch' }))

const hook = 'slack://hook:A-B-c@webhook'
const bot = 'slack://xoxb:1-2-c@C1'
for (const [address, answer, outcome, reason] of [
  [hook, answered(200, 'ok'), 'delivered', undefined],
  [hook, answered(404, 'no_service'), 'refused', 'the server answered with status 404: no_service'],
  [hook, { ...answered(429), retryAfterMs: 30_000 }, 'later', 'the server answered with status 429'],
  [bot, answered(200, { ok: true }), 'delivered', undefined],
  [bot, answered(200, { ok: false, error: 'channel_not_found' }), 'refused', 'the server answered: channel_not_found'],
  [bot, answered(200, { ok: false, error: 'internal_error' }), 'later', 'the server answered: internal_error'],
  [bot, answered(200, '<html>'), 'refused', 'the server answered: it was not taken'],
] as const)
  test(`slack: the response ${JSON.stringify(answer)} is ${outcome}`, () => {
    const verdict = verdictBy(address, answer)
    assert.equal(verdict.outcome, outcome)
    assert.equal('reason' in verdict ? verdict.reason : undefined, reason)
  })

for (const address of ['slack://hook:A-B@webhook', 'slack://xoxb:@C1', 'slack://webhook', 'slack://hook:A-B-ü@webhook'])
  test(`slack refuses ${address}`, () => assert.throws(() => requestBy(address), AddressError))
