import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './config.ts'
import { memoryRuntime } from '../runtime/memory-runtime.ts'
import { byteTools } from '../runtime/node/byte-tools.ts'

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4'
const PATH = '/api/beszel/agent-connect'

const read = (hubUrl: string, env: Readonly<Record<string, string>> = {}) =>
  readConfig(memoryRuntime({ env: { KEY, TOKEN: 'token', HUB_URL: hubUrl, ...env }, files: {}, bytes: byteTools }).runtime)

const urlsOf = (hubUrl: string): readonly string[] => {
  const result = read(hubUrl)
  assert.ok(result.kind === 'run' && result.config.webSocket.mode === 'dial', JSON.stringify(result))
  return result.config.webSocket.hubs.map(({ url }) => url)
}

test('readHubs reads one or several addresses in order and without duplicates', () => {
  assert.deepEqual(urlsOf('https://a.example.org'), [`wss://a.example.org${PATH}`])
  const several = [`wss://a.example.org${PATH}`, `ws://b.example.org:8090${PATH}`]
  for (const text of [
    'https://a.example.org,http://b.example.org:8090',
    ' https://a.example.org , http://b.example.org:8090/ ',
    'https://a.example.org http://b.example.org:8090,https://a.example.org/',
  ])
    assert.deepEqual(urlsOf(text), several, text)
})

test('readHubs names each invalid address', () => {
  const result = read('https://a.example.org,nothing,ftp://b')
  assert.deepEqual(result, {
    kind: 'refused',
    problems: [
      'HUB_URL: "nothing" is not an address such as https://hub.example.org',
      'HUB_URL: "ftp://b" is not an address such as https://hub.example.org',
    ],
  })
  assert.equal(read(',').kind, 'refused')
})

test('readHubs selects the proxy separately for each address', () => {
  const result = read('https://a.example.org,https://b.example.org', { ALL_PROXY: 'socks5://proxy', NO_PROXY: 'b.example.org' })
  assert.ok(result.kind === 'run' && result.config.webSocket.mode === 'dial')
  assert.deepEqual(
    result.config.webSocket.hubs.map(({ proxy }) => proxy),
    ['socks5h://proxy', undefined],
  )
})
