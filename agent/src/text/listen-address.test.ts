import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { listenText, parseListenAddress } from './listen-address.ts'

for (const [text, expected] of [
  ['45876', { kind: 'tcp', port: 45_876 }],
  [':45876', { kind: 'tcp', port: 45_876 }],
  ['127.0.0.1:0', { kind: 'tcp', host: '127.0.0.1', port: 0 }],
  ['[::1]:45876', { kind: 'tcp', host: '::1', port: 45_876 }],
  ['localhost:1', { kind: 'tcp', host: 'localhost', port: 1 }],
  ['/run/agent.sock', { kind: 'unix', path: '/run/agent.sock' }],
  ['', undefined],
  ['65536', undefined],
  ['::1:45876', undefined],
  ['host', undefined],
  ['host:', undefined],
  ['host:-1', undefined],
] as const) {
  test(`parseListenAddress: "${text}"`, () => assert.deepEqual(parseListenAddress(text), expected))
}

test('listenText writes a host and port that parse to the same', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat(65_535), (host, port) => {
      assert.deepEqual(parseListenAddress(listenText({ kind: 'tcp', host, port })), { kind: 'tcp', host, port })
    }),
  )
})
