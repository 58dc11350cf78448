import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressError } from '../address.ts'
import { answered, jsonBy, message, requestBy, verdictBy } from '../../../../test/told-channel.ts'

test('pushover: sends title, message, link, priority and devices', () => {
  const address = 'pushover://shoutrrr:apiToken@userKey/?devices=phone,tablet&priority=2&title=x'
  assert.equal(requestBy(address).url, 'https://api.pushover.net/1/messages.json')
  assert.deepEqual(jsonBy(address), {
    token: 'apiToken',
    user: 'userKey',
    title: message.title,
    message: message.body,
    url: message.link,
    url_title: 'View db',
    priority: 2,
    retry: 60,
    expire: 3600,
    device: 'phone,tablet',
  })
})

for (const [status, body, outcome] of [
  [200, { status: 1, request: 'x' }, 'delivered'],
  [200, 'a page', 'refused'],
  [400, { status: 0, errors: ['application token is invalid'] }, 'refused'],
  [429, { status: 0, errors: ['over the limit'] }, 'later'],
] as const)
  test(`pushover: status ${status} with ${JSON.stringify(body)} is ${outcome}`, () =>
    assert.equal(verdictBy('pushover://s:t@u', answered(status, body)).outcome, outcome))

for (const address of [
  'pushover://user',
  'pushover://s:t@',
  'pushover://s:t@u?priority=3',
  `pushover://s:t@u?encryptionkey=${'a'.repeat(64)}`,
])
  test(`pushover refuses ${address.slice(0, 40)}`, () => assert.throws(() => requestBy(address), AddressError))
