import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentSocketUrl } from './hub-url.ts'

for (const [hubUrl, expected] of [
  ['http://hub:8090', 'ws://hub:8090/api/beszel/agent-connect'],
  ['https://hub.example.com/', 'wss://hub.example.com/api/beszel/agent-connect'],
  ['HTTPS://hub.example.com/sub/path//', 'wss://hub.example.com/sub/path/api/beszel/agent-connect'],
  ['wss://[::1]:8090', 'wss://[::1]:8090/api/beszel/agent-connect'],
  ['https://hub.example.com/?x=1', undefined],
  ['hub:8090', undefined],
  ['ftp://hub', undefined],
  ['http://', undefined],
  ['http://:8090', undefined],
  ['http://user@', undefined],
  ['http://two words', undefined],
] as const) {
  test(`agentSocketUrl: "${hubUrl}" is ${expected}`, () => assert.equal(agentSocketUrl(hubUrl), expected))
}
