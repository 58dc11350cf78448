import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressError } from '../address.ts'
import { answered, requestBy, verdictBy } from '../../../../test/told-channel.ts'

const told = { title: 'Title', body: 'A "message"\nof two lines', link: 'https://hub.example/s/1' }
const text = 'A "message"\nof two lines\n\nhttps://hub.example/s/1'

for (const [address, expected] of [
  ['generic://example.com', { url: 'https://example.com/', method: 'POST', body: `Title\n\n${text}` }],
  ['generic://example.com:8443/a/b?disabletls=yes', { url: 'http://example.com:8443/a/b' }],
  ['generic://example.com/a%2Fb%20c', { url: 'https://example.com/a%2Fb%20c' }],
  ['generic+http://example.com/x?k=v&method=put', { url: 'http://example.com/x?k=v', method: 'PUT' }],
  ['generic+https://user:pass@example.com/x', { url: 'https://user:pass@example.com/x' }],
  ['generic://example.com/?_contenttype=x&__x=1&RequestMethod=PATCH', { url: 'https://example.com/?contenttype=x&_x=1', method: 'PATCH' }],
  ['generic://example.com/?template=json', { body: JSON.stringify({ title: 'Title', message: text }) }],
  [
    'generic://example.com/?template=JSON&titleKey=subject&messageKey=text&$channel=ops',
    { url: 'https://example.com/', body: JSON.stringify({ channel: 'ops', subject: 'Title', text }) },
  ],
  [
    'generic://example.com/?template=json&$level={{severity}}&s={{ .System }}',
    { url: 'https://example.com/?s=db', body: JSON.stringify({ level: 'firing', title: 'Title', message: text }) },
  ],
  [
    'generic://example.com/?template={"text":"{{title}}: {{message}} ({{link}})"}',
    { body: JSON.stringify({ text: 'Title: A "message"\nof two lines (https://hub.example/s/1)' }) },
  ],
  [
    'generic://example.com/?contenttype=application/x-www-form-urlencoded&template=text%3D{{message}}',
    { body: 'text=A%20%22message%22%0Aof%20two%20lines' },
  ],
  ['generic://example.com/?contenttype=text/plain&template={{nothing}}{{title}}', { body: '{{nothing}}Title' }],
] as const)
  test(`generic: sends the request of ${address}`, () => {
    const request = requestBy(address, { message: told })
    assert.deepEqual({ ...request, ...expected }, request)
  })

test('generic: sends its own headers, the address’s headers and the idempotency key', () => {
  const { headers } = requestBy('generic://h/?contenttype=text/plain&@X-API-Key=s3cret&@acceptLanguage=tlh-Piqd&@x-system={{system}}', {
    message: { systemName: 'dü\nb' },
  })
  assert.deepEqual(headers, {
    'idempotency-key': 'k3yk3yk3yk3yk3yk3yk3',
    'content-type': 'text/plain',
    'x-api-key': 's3cret',
    'accept-language': 'tlh-Piqd',
    'x-system': 'd%C3%BC%0Ab',
  })
})

test('generic: text in a message cannot break out of a JSON template', () => {
  const { body } = requestBy('generic://h/?template={"a":"{{title}}"}', { message: { title: '","admin":"yes' } })
  assert.deepEqual(JSON.parse(String(body)), { a: '","admin":"yes' })
})

test('generic: the reason of a failure omits the response text of an internal server', () => {
  const answer = answered(500, 'the peer’s own words')
  assert.partialDeepStrictEqual(verdictBy('generic://h/', answer), { reason: 'the server answered with status 500: the peer’s own words' })
  assert.partialDeepStrictEqual(verdictBy('generic://h/', { ...answer, isInternal: true }), {
    reason: 'the server answered with status 500',
  })
})

for (const address of [
  'generic://',
  'generic://h/?method=CONNECT',
  'generic://h/?template=xml',
  'generic://h/?@Host=x',
  'generic://h/?@a%20b=x',
  'generic://h/?@a=x%0d%0ay',
  'generic://h/?disabletls=maybe',
])
  test(`generic refuses ${address}`, () => assert.throws(() => requestBy(address), AddressError))
