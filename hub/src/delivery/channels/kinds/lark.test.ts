import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressError } from '../address.ts'
import { answered, jsonBy, message, requestBy, verdictBy } from '../../../../test/told-channel.ts'

const address = 'lark://open.larksuite.com/tok-en'
const sent = {
  msg_type: 'post',
  content: {
    post: {
      en_us: {
        title: message.title,
        content: [[{ tag: 'text', text: message.body }], [{ tag: 'a', text: 'View db', href: message.link }]],
      },
    },
  },
}

test('lark: posts the message to the bot’s webhook', () => {
  assert.equal(requestBy(address).url, 'https://open.larksuite.com/open-apis/bot/v2/hook/tok-en')
  assert.equal(requestBy('lark://open.feishu.cn/tok-en').url, 'https://open.feishu.cn/open-apis/bot/v2/hook/tok-en')
  assert.deepEqual(jsonBy(address), sent)
})

test('lark: signs the request with the address’s secret as the HMAC key', () =>
  assert.deepEqual(jsonBy(`${address}?secret=s3cret`), {
    timestamp: '1700000000',
    // printf '' | openssl dgst -sha256 -hmac $'1700000000\ns3cret' -binary | base64
    sign: 'IX3eHI0/v/Td7jqJ0ynSEK3Dq5JY3HUZeoeMgVZeZGo=',
    ...sent,
  }))

for (const [status, body, outcome] of [
  [200, { code: 0, msg: 'success' }, 'delivered'],
  [200, { StatusCode: 0, StatusMessage: 'success' }, 'delivered'],
  [200, { code: 19021, msg: 'sign match fail or timestamp is not within one hour from current time' }, 'refused'],
  [200, { code: 9499, msg: 'too many request' }, 'later'],
  [400, { code: 9499, msg: 'Bad Request' }, 'refused'],
] as const)
  test(`lark: the response ${JSON.stringify(body)} is ${outcome}`, () =>
    assert.equal(verdictBy(address, answered(status, body)).outcome, outcome))

for (const bad of ['lark://open.larksuite.com', 'lark://example.com/t'])
  test(`lark refuses ${bad}`, () => assert.throws(() => requestBy(bad), AddressError))
