import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressError } from '../address.ts'
import { answered, jsonBy, requestBy, verdictBy } from '../../../../test/told-channel.ts'

test('mattermost: sends to the webhook with the user name, channel and icon of the address', () => {
  assert.equal(requestBy('mattermost://chat.example/hookid').url, 'https://chat.example/hooks/hookid')
  const address = 'mattermost://Watch@127.0.0.1:8065/hookid/town-square?disabletls=yes&icon=bell'
  assert.equal(requestBy(address).url, 'http://127.0.0.1:8065/hooks/hookid')
  assert.deepEqual(jsonBy(address, { message: { title: 'A\n# *b*', body: '@all' } }), {
    text: '#### A \\# \\*b\\*\n\n\\@\u2060all\n\nhttps://hub.example/system/abc',
    username: 'Watch',
    channel: 'town-square',
    icon_emoji: 'bell',
  })
})

for (const [status, body, outcome] of [
  [200, 'ok', 'delivered'],
  [400, { id: 'web.incoming_webhook.invalid.app_error', message: 'Invalid webhook.' }, 'refused'],
  [503, '', 'later'],
] as const)
  test(`mattermost: status ${status} is ${outcome}`, () =>
    assert.equal(verdictBy('mattermost://h/t', answered(status, body)).outcome, outcome))

for (const address of ['mattermost://host', 'mattermost:///t', 'mattermost://host/t?disabletls=perhaps'])
  test(`mattermost refuses ${address}`, () => assert.throws(() => requestBy(address), AddressError))
