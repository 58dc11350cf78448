import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressError } from '../address.ts'
import { answered, message, requestBy, toldBy } from '../../../../test/told-channel.ts'

const sent = answered(200, { event_id: '$1' })
const root = 'https://matrix.example/_matrix/client/v3'
const asked = (told: ReturnType<typeof toldBy>) => told.requests.map(({ method, url }) => `${method} ${url.replace(root, '')}`)

test('matrix: an access token and one room need one request, which is identical on each retry', () => {
  const address = 'matrix://:s3cr3t@matrix.example/?rooms=!room:matrix.example'
  const told = toldBy(address, { answers: [sent] })
  const [request] = told.requests
  assert.equal(told.requests.length, 1)
  assert.match(request?.url ?? '', /\/rooms\/!room%3Amatrix\.example\/send\/m\.room\.message\/k3yk3yk3yk3yk3yk3yk3-[\w-]{8}$/)
  assert.deepEqual(toldBy(address, { answers: [sent] }).requests, told.requests)
  assert.equal(request?.headers['authorization'], 'Bearer s3cr3t')
  assert.deepEqual(JSON.parse(String(request?.body)), {
    msgtype: 'm.text',
    body: `${message.title}\n\n${message.body}\n\n${message.link}`,
    format: 'org.matrix.custom.html',
    formatted_body:
      '<strong>CPU above threshold on &lt;db&gt; &amp; co.</strong><br><br>CPU averaged 93.20% for the previous 10 minutes.<br>@everyone look at *this*<br><br><a href="https://hub.example/system/abc">View db</a>',
    'm.mentions': {},
  })
})

test('matrix: a password signs in as the same device; the channel resolves an alias and accepts an invitation', () => {
  const told = toldBy('matrix://watch:pa%20ss@matrix.example?rooms=ops:matrix.example', {
    answers: [
      answered(200, { access_token: 'tok' }),
      answered(200, { room_id: '!id:matrix.example' }),
      answered(403, { errcode: 'M_FORBIDDEN', error: 'not in room' }),
      answered(200, { room_id: '!id:matrix.example' }),
      sent,
    ],
  })
  const [, , send] = asked(told)
  assert.deepEqual(asked(told), [
    'POST /login',
    'GET /directory/room/%23ops%3Amatrix.example',
    send,
    'POST /join/!id%3Amatrix.example',
    send,
  ])
  assert.partialDeepStrictEqual(JSON.parse(String(told.requests[0]?.body)), {
    password: 'pa ss',
    device_id: 'VEDETTE',
    identifier: { user: 'watch' },
  })
  assert.equal(told.requests.at(-1)?.headers['authorization'], 'Bearer tok')
  assert.deepEqual(told.verdict, { outcome: 'delivered', reached: ['#ops:matrix.example'] })
})

test('matrix: an address without rooms sends to all joined rooms', () => {
  const told = toldBy('matrix://:t0ken@matrix.example', {
    answers: [
      answered(200, { joined_rooms: ['!a:x', '!b:x'] }),
      sent,
      answered(429, { errcode: 'M_LIMIT_EXCEEDED', error: 'Too many', retry_after_ms: 1500 }),
    ],
  })
  assert.equal(told.requests.length, 3)
  assert.deepEqual(told.verdict, {
    outcome: 'later',
    reason: '!b:x: the server answered with status 429: M_LIMIT_EXCEEDED: Too many',
    afterMs: 1500,
    reached: ['!a:x'],
  })
})

for (const [answer, outcome] of [
  [answered(401, { errcode: 'M_UNKNOWN_TOKEN', error: 'Unknown' }), 'refused'],
  [answered(502), 'later'],
  [answered(200, {}), 'refused'],
] as const)
  test(`matrix: the sign-in response ${JSON.stringify(answer)} is ${outcome}`, () => {
    const told = toldBy('matrix://u:p@matrix.example?rooms=!a:x', { answers: [answer] })
    assert.deepEqual([told.requests.length, told.verdict.outcome], [1, outcome])
  })

for (const address of ['matrix://matrix.example', 'matrix://:t@', 'matrix://u@matrix.example?rooms=!a:x'])
  test(`matrix refuses ${address}`, () => assert.throws(() => requestBy(address), AddressError))
