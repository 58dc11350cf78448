import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bypassesProxy } from './no-proxy.ts'

const cases = [
  ['', 'hub.example.org', false],
  ['hub.example.org', 'hub.example.org', true],
  ['HUB.example.org', 'hub.Example.org.', true],
  ['example.org', 'hub.example.org', false],
  ['*.example.org', 'hub.example.org', true],
  ['.example.org', 'hub.example.org', true],
  ['*.example.org', 'example.org', true],
  ['*.example.org', 'badexample.org', false],
  [' localhost , 10.0.0.0/8 ', '10.200.3.4', true],
  ['10.0.0.0/8', '11.0.0.1', false],
  ['192.0.2.128/25', '192.0.2.127', false],
  ['0.0.0.0/0', '203.0.113.9', true],
  ['192.0.2.7/32', '192.0.2.7', true],
  ['192.0.2.0/33', '192.0.2.0', false],
  ['192.0.2.0/', '192.0.2.0', false],
  ['10.0.0.0/8', 'ten.example.org', false],
  ['::1', '[::1]', true],
  ['[::1]', '[::1]', true],
  ['0:0::0:1', '[::1]', true],
  ['fd00::/8', '[FD12::1]', true],
  ['fd00::/8', '[fe80::1]', false],
  ['::/0', 'hub.example.org', false],
  ['127.0.0.1', '[::ffff:127.0.0.1]', true],
  ['*', 'anything', true],
] as const

for (const [noProxy, host, expected] of cases) {
  test(`bypassesProxy of "${noProxy}" for ${host} is ${expected}`, () => assert.equal(bypassesProxy(noProxy, host), expected))
}
