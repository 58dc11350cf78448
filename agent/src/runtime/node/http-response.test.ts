import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { inheritedName } from '../../../../protocol/test/hostile-names.ts'
import { HttpMalformed, HttpResponseReader, type ResponsePart } from './http-response.ts'

/** Head, body and end. The data is joined because its chunks do not matter. */
function read(text: string, cuts: readonly number[] = [], closes = false) {
  const reader = new HttpResponseReader()
  const bytes = Buffer.from(text, 'latin1')
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].toSorted((a, b) => a - b)
  const parts: ResponsePart[] = []
  for (const [index, place] of places.slice(1).entries()) parts.push(...reader.feed(bytes.subarray(places[index], place)))
  if (closes) parts.push(reader.close())
  const [head] = parts
  return {
    head: head?.kind === 'head' ? head : undefined,
    body: parts.flatMap((part) => (part.kind === 'data' ? [part.data.toString('latin1')] : [])).join(''),
    ends: parts.filter((part) => part.kind === 'end').map((part) => part.reusable),
  }
}

const head = (...headers: readonly string[]): string => ['HTTP/1.1 200 OK', ...headers, '', ''].join('\r\n')

for (const [what, text, body, reusable] of [
  ['a length', `${head('Content-Length: 5')}hello`, 'hello', true],
  ['no body', head('Content-Length: 0'), '', true],
  ['status 204', head('Date: x').replace('200 OK', '204 No Content'), '', true],
  ['chunks', `${head('Transfer-Encoding: chunked')}5\r\nhello\r\n6;x=1\r\n world\r\n0\r\n\r\n`, 'hello world', true],
  ['chunks and a trailer', `${head('Transfer-Encoding: chunked')}1\r\na\r\n0\r\nDigest: x\r\n\r\n`, 'a', true],
  ['the last response of a connection', `${head('Content-Length: 2', 'Connection: close')}ok`, 'ok', false],
  ['an interim response first', `HTTP/1.1 100 Continue\r\n\r\n${head('Content-Length: 1')}a`, 'a', true],
] as const) {
  test(`HttpResponseReader reads ${what}, however its bytes are split`, () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), (cuts) => {
        const { body: found, ends, head: first } = read(text, cuts)
        assert.deepEqual([found, ends, first?.status], [body, [reusable], what === 'status 204' ? 204 : 200])
      }),
    )
  })
}

test('HttpResponseReader closes a connection that sends bytes without a request', () => {
  assert.deepEqual(read(`${head('Content-Length: 1')}abc`), { ...read(`${head('Content-Length: 1')}a`), ends: [false] })
})

test('HttpResponseReader reads a body without a length until the peer closes', () => {
  assert.deepEqual(read(`${head('Server: x')}all of it`, [30, 41], true).body, 'all of it')
})

test('HttpResponseReader returns header names in lower case and values trimmed', () => {
  assert.deepEqual(read(head('Server:  Docker/28 (linux) ', 'Content-Length: 0')).head?.headers, [
    ['server', 'Docker/28 (linux)'],
    ['content-length', '0'],
  ])
})

for (const [what, text] of [
  ['bytes that are not HTTP', 'SSH-2.0-OpenSSH\r\n\r\n'],
  ['HTTP/2', 'HTTP/2 200\r\n\r\n'],
  ['a header without a name', 'HTTP/1.1 200 OK\r\n: x\r\n\r\n'],
  ['an invalid length', head('Content-Length: -1')],
  ['a chunk without a size', `${head('Transfer-Encoding: chunked')}x\r\n`],
  ['a chunk longer than its size', `${head('Transfer-Encoding: chunked')}1\r\nab\r\n`],
  ['an endless head', `HTTP/1.1 200 OK\r\n${'a'.repeat(40_000)}`],
  ['an endless chunk line', `${head('Transfer-Encoding: chunked')}${'1'.repeat(4000)}`],
] as const) {
  test(`HttpResponseReader refuses ${what}`, () => assert.throws(() => read(text), HttpMalformed))
}

test('HttpResponseReader reports a response that ends too early', () => {
  for (const text of ['HTTP/1.1 200 OK\r\n', `${head('Content-Length: 9')}half`, `${head('Transfer-Encoding: chunked')}9\r\nhalf`]) {
    assert.throws(() => read(text, [], true), HttpMalformed)
  }
})

test('HttpResponseReader throws no unexpected error for any bytes', () => {
  const pieces = fc.array(
    fc.oneof(
      fc.constantFrom('HTTP/1.1 200 OK\r\n', 'Transfer-Encoding: chunked\r\n', 'Content-Length: 3\r\n', '\r\n', '3\r\n', '0\r\n', 'abc'),
      fc.string(),
      inheritedName,
      inheritedName.map((name) => `${name}: ${name}\r\n`),
    ),
  )
  fc.assert(
    fc.property(pieces, (some) => {
      const reader = new HttpResponseReader()
      try {
        for (const piece of some) reader.feed(Buffer.from(piece, 'latin1'))
        reader.close()
      } catch (error) {
        assert.ok(error instanceof HttpMalformed)
      }
    }),
  )
})
