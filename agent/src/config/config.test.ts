import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './config.ts'
import { memoryRuntime } from '../runtime/memory-runtime.ts'
import { byteTools } from '../runtime/node/byte-tools.ts'

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4'

const read = (env: Readonly<Record<string, string>>, argv: readonly string[] = [], files: Readonly<Record<string, string>> = {}) =>
  readConfig(memoryRuntime({ env, argv, files, bytes: byteTools }).runtime)

function accepted(...args: Parameters<typeof read>) {
  const result = read(...args)
  assert.ok(result.kind === 'run', JSON.stringify(result))
  return result.config
}

function problems(...args: Parameters<typeof read>): readonly string[] {
  const result = read(...args)
  assert.equal(result.kind, 'refused')
  return result.kind === 'refused' ? result.problems : []
}

test('readConfig with only a key listens on port 45876 and connects to no hub', () => {
  const { ssh, webSocket, keys, logLevel } = accepted({ KEY })
  assert.deepEqual(ssh, { mode: 'listen', address: { kind: 'tcp', port: 45_876 } })
  assert.deepEqual([webSocket.mode, keys.length, logLevel], ['off', 1, 'info'])
})

test('readConfig lists every problem at once', () => {
  const found = problems({ KEY: 'nonsense', LISTEN: 'here', HUB_URL: 'http://', DOCKER_TIMEOUT: '5', LOG_LEVEL: 'loud' }, [
    '--no-such-option',
  ])
  for (const name of ['--no-such-option', 'KEY', 'LISTEN', 'HUB_URL', 'DOCKER_TIMEOUT', 'LOG_LEVEL']) {
    assert.ok(
      found.some((problem) => problem.includes(name)),
      `${name} in ${found.join('; ')}`,
    )
  }
})

test('readConfig refuses to start without a key, or with neither a hub address nor an SSH server', () => {
  assert.match(problems({}).join(), /KEY or KEY_FILE/)
  assert.match(problems({ KEY, DISABLE_SSH: 'true' }).join(), /no hub can reach it/)
})

test('readConfig prefers flags, then variables with its own prefix, with the known prefix, and without a prefix', () => {
  const env = { KEY, SYSTEM_NAME: 'bare', BESZEL_AGENT_SYSTEM_NAME: 'known', VEDETTE_AGENT_SYSTEM_NAME: 'own' }
  assert.equal(accepted(env).systemName, 'own')
  assert.equal(accepted(env, ['--system-name', 'flag']).systemName, 'flag')
  assert.equal(accepted({ KEY, SYSTEM_NAME: 'bare', BESZEL_AGENT_SYSTEM_NAME: 'known' }).systemName, 'known')
})

test('readConfig reads key and token from files, and names a file that it cannot read', () => {
  const files = { '/k': `# hubs\n${KEY} hub\n${KEY} other\n`, '/t': ' token-text \n' }
  const { keys, webSocket } = accepted({ KEY: '', KEY_FILE: '/k', TOKEN_FILE: '/t', HUB_URL: 'https://hub.example.org/sub/' }, [], files)
  assert.equal(keys.length, 2)
  assert.deepEqual(webSocket, {
    mode: 'dial',
    hubs: [{ url: 'wss://hub.example.org/sub/api/beszel/agent-connect', proxy: undefined, certificateSha256: undefined }],
    token: 'token-text',
  })
  assert.deepEqual(problems({ KEY, TOKEN_FILE: '/none', HUB_URL: 'https://h' }), ['TOKEN_FILE: Cannot read "/none"'])
})

test('readConfig never repeats a token in a problem', () => {
  const found = problems({ KEY, HUB_URL: 'https://h', TOKEN: `secret ${'x'.repeat(70)}` })
  assert.ok(found.length > 0 && found.every((problem) => !problem.includes('secret')))
})

test('readConfig distinguishes an empty list from an unset one: SENSORS, NICS and DOCKER_HOST', () => {
  const empty = accepted({ KEY, SENSORS: '', NICS: '', DOCKER_HOST: '' }).collect
  assert.deepEqual([empty.sensors, empty.interfaces, empty.engine], [{ mode: 'off' }, { mode: 'only', patterns: [] }, { mode: 'off' }])
  assert.equal(accepted({ KEY }).collect.interfaces, undefined)
  assert.deepEqual(accepted({ KEY, NICS: '-eth*,wg0' }).collect.interfaces, { mode: 'except', patterns: ['eth*', 'wg0'] })
})

test('readConfig accepts options of other agents and lists them in one remark', () => {
  assert.deepEqual(accepted({ KEY, NETWORK: 'tcp', INTEL_GPU_DEVICE: 'card0' }).remarks, [
    'This agent does not act on INTEL_GPU_DEVICE yet',
  ])
})

for (const flag of ['--help', '-h', '--version', '-v']) {
  test(`readConfig handles ${flag} before it checks any other option`, () => assert.notEqual(read({}, [flag]).kind, 'refused'))
}

for (const [text, address] of [
  ['45876', { kind: 'tcp', port: 45_876 }],
  [':1234', { kind: 'tcp', port: 1234 }],
  ['127.0.0.1:1', { kind: 'tcp', host: '127.0.0.1', port: 1 }],
  ['[::1]:1', { kind: 'tcp', host: '::1', port: 1 }],
  ['/run/agent.sock', { kind: 'unix', path: '/run/agent.sock' }],
] as const) {
  test(`readConfig reads LISTEN=${text}`, () => assert.deepEqual(accepted({ KEY, LISTEN: text }).ssh, { mode: 'listen', address }))
}
