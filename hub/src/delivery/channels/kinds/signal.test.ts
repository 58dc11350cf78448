import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressError } from '../address.ts'
import { answered, jsonBy, message, requestBy, toldBy, verdictBy } from '../../../../test/told-channel.ts'

test('signal: sends one request with the message and its recipients', () => {
  const address = 'signal://localhost/+1234567890/+0987654321,+1123456789?disabletls=yes'
  assert.equal(requestBy(address).url, 'http://localhost:8080/v2/send')
  assert.deepEqual(jsonBy(address), {
    message: `${message.title}\n\n${message.body}\n\n${message.link}`,
    number: '+1234567890',
    recipients: ['+0987654321', '+1123456789'],
  })
})

for (const [address, authorization] of [
  ['signal://user:password@h:9000/+1/+2', 'Basic dXNlcjpwYXNzd29yZA=='],
  ['signal://user:password@h:9000/+1/+2?token=abc', 'Bearer abc'],
  ['signal://h:9000/+1/+2', undefined],
] as const)
  test(`signal: sends the credentials of ${address}`, () => {
    const request = requestBy(address)
    assert.deepEqual([request.url, request.headers['authorization']], ['https://h:9000/v2/send', authorization])
  })

test('signal: sends one request to all numbers, one to all user names and one to each group', () => {
  const { requests } = toldBy('signal://h/+1/+2/group.ab/cd=/u:some.12/group.ef=/+3')
  assert.deepEqual(
    requests.map(({ body }) => JSON.parse(String(body)).recipients),
    [['+2', '+3'], ['u:some.12'], ['group.ab/cd='], ['group.ef=']],
  )
})

test('signal: the reason of a failure contains no telephone number', () => {
  const verdict = verdictBy('signal://h/+1/+2/group.ab', answered(400, { error: 'Unregistered user' }))
  assert.deepEqual(verdict, {
    outcome: 'refused',
    reason: 'numbers: the server answered with status 400: Unregistered user',
    reached: ['group 1'],
  })
})

for (const address of ['signal://h/+1', 'signal://h', 'signal://h/me/+2', 'signal://h/+1/you'])
  test(`signal refuses ${address}`, () => assert.throws(() => requestBy(address), AddressError))
