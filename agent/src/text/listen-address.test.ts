import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { inNetwork, listenText, parseListenAddress } from './listen-address.ts'

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

test('listenText writes a text that parses to the same host and port', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat(65_535), (host, port) => {
      assert.deepEqual(parseListenAddress(listenText({ kind: 'tcp', host, port })), { kind: 'tcp', host, port })
    }),
  )
})

const networkCases: readonly (readonly [string, string | undefined, unknown])[] = [
  ['45876', undefined, { kind: 'tcp', port: 45_876 }],
  ['45876', 'tcp', { kind: 'tcp', port: 45_876 }],
  ['45876', 'tcp4', { kind: 'tcp', host: '0.0.0.0', port: 45_876 }],
  ['45876', 'tcp6', { kind: 'tcp', host: '::', port: 45_876, ipv6Only: true }],
  ['[::1]:5', 'tcp6', { kind: 'tcp', host: '::1', port: 5, ipv6Only: true }],
  ['[::1]:5', 'tcp4', undefined],
  ['127.0.0.1:5', 'tcp6', undefined],
  ['/run/a.sock', 'unix', { kind: 'unix', path: '/run/a.sock' }],
  ['/run/a.sock', 'tcp', undefined],
  ['45876', 'unix', undefined],
  ['45876', 'udp', undefined],
]
for (const [text, network, expected] of networkCases) {
  test(`inNetwork: ${text} on ${network ?? 'any'}`, () => {
    const address = parseListenAddress(text)
    assert.ok(address)
    assert.deepEqual(inNetwork(address, network), expected)
  })
}
