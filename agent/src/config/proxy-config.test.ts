import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './config.ts'
import { memoryRuntime } from '../runtime/memory-runtime.ts'
import { byteTools } from '../runtime/node/byte-tools.ts'

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4'

function read(env: Readonly<Record<string, string>>) {
  const result = readConfig(
    memoryRuntime({ env: { KEY, TOKEN: 'token', HUB_URL: 'https://hub.example.org', ...env }, files: {}, bytes: byteTools }).runtime,
  )
  assert.ok(result.kind === 'run', JSON.stringify(result))
  assert.ok(result.config.webSocket.mode === 'dial')
  return { proxy: result.config.webSocket.hubs[0]?.proxy, remarks: result.config.remarks }
}

const cases: readonly (readonly [env: Readonly<Record<string, string>>, proxy: string | undefined])[] = [
  [{}, undefined],
  [{ ALL_PROXY: 'socks5://proxy.example.org:1080' }, 'socks5h://proxy.example.org:1080'],
  [{ all_proxy: 'socks5h://proxy.example.org' }, 'socks5h://proxy.example.org'],
  [{ BESZEL_AGENT_ALL_PROXY: 'SOCKS5://user:secret@[::1]:1080/' }, 'socks5h://user:secret@[::1]:1080'],
  [{ ALL_PROXY: 'socks5://proxy:1080', NO_PROXY: 'localhost,*.example.org' }, undefined],
  [{ ALL_PROXY: 'socks5://proxy:1080', no_proxy: 'hub.example.org' }, undefined],
  [{ ALL_PROXY: 'socks5://proxy:1080', NO_PROXY: 'other.example.org' }, 'socks5h://proxy:1080'],
  [{ ALL_PROXY: 'http://proxy:3128/' }, 'http://proxy:3128'],
  [{ HTTPS_PROXY: 'http://user:secret@[::1]:3128' }, 'http://user:secret@[::1]:3128'],
  [{ https_proxy: 'proxy:3128' }, 'http://proxy:3128'],
  [{ HTTPS_PROXY: 'http://proxy', ALL_PROXY: 'socks5://other' }, 'http://proxy'],
  [{ HTTPS_PROXY: 'http://proxy', NO_PROXY: 'hub.example.org' }, undefined],
  [{ HTTPS_PROXY: 'http://proxy', HUB_URL: 'http://hub.example.org' }, undefined],
]

for (const [env, proxy] of cases) {
  test(`readProxy of ${JSON.stringify(env)} is ${proxy}`, () => assert.deepEqual(read(env), { proxy, remarks: [] }))
}

for (const [name, value] of [
  ['ALL_PROXY', 'https://user:secret@proxy:3128'],
  ['ALL_PROXY', 'proxy:1080'],
  ['ALL_PROXY', 'socks5://'],
  ['ALL_PROXY', 'socks4://proxy'],
  ['HTTPS_PROXY', 'https://user:secret@proxy'],
  ['HTTPS_PROXY', 'http://'],
] as const) {
  test(`readProxy ignores the invalid value "${value}" of ${name} and reports it without the value`, () => {
    const { proxy, remarks } = read({ [name]: value })
    assert.deepEqual([proxy, remarks.length], [undefined, 1])
    assert.match(remarks[0] ?? '', new RegExp(`^${name} is .* and is not used$`))
    assert.ok(!remarks[0]?.includes('secret'))
  })
}
