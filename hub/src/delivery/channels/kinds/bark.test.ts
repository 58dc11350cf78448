import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressError } from '../address.ts'
import { answered, jsonBy, message, requestBy, verdictBy } from '../../../../test/told-channel.ts'

for (const [address, url] of [
  ['bark://:devKey@api.day.app', 'https://api.day.app/push'],
  ['bark://devKey@api.day.app/', 'https://api.day.app/push'],
  ['bark://:devKey@127.0.0.1:8080/a/?scheme=http', 'http://127.0.0.1:8080/a/push'],
] as const)
  test(`bark: sends to the server of ${address}`, () => {
    assert.equal(requestBy(address).url, url)
    assert.deepEqual(jsonBy(address), {
      device_key: 'devKey',
      id: message.key,
      title: message.title,
      body: message.body,
      url: message.link,
    })
  })

test('bark: options of the address become fields of the request', () =>
  assert.partialDeepStrictEqual(jsonBy('bark://:k@h?sound=alarm&badge=2&group=ops&level=timeSensitive'), {
    sound: 'alarm',
    badge: 2,
    group: 'ops',
    level: 'timeSensitive',
  }))

for (const [status, body, outcome] of [
  [200, { code: 200, message: 'success' }, 'delivered'],
  [200, { code: 400, message: 'failed to get device token' }, 'refused'],
  [400, { code: 400, message: 'failed to get device token' }, 'refused'],
  [500, { code: 500, message: 'push failed' }, 'later'],
] as const)
  test(`bark: status ${status} with code ${body.code} is ${outcome}`, () =>
    assert.equal(verdictBy('bark://:k@h', answered(status, body)).outcome, outcome))

for (const address of ['bark://h', 'bark://:k@', 'bark://:k@h?badge=-1', 'bark://:k@h?level=loud'])
  test(`bark refuses ${address}`, () => assert.throws(() => requestBy(address), AddressError))
