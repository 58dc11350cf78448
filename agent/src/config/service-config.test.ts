import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './config.ts'
import { memoryRuntime } from '../runtime/memory-runtime.ts'
import { byteTools } from '../runtime/node/byte-tools.ts'

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4'
const read = (env: Readonly<Record<string, string>>) =>
  readConfig(memoryRuntime({ files: {}, bytes: byteTools, env: { KEY, ...env } }).runtime)

for (const [env, services] of [
  [{}, { mode: 'on', patterns: ['*.service'] }],
  [{ SKIP_SYSTEMD: 'true' }, { mode: 'off' }],
  [{ SERVICE_PATTERNS: 'docker*, ssh.service ,*.timer,' }, { mode: 'on', patterns: ['docker*.service', 'ssh.service', '*.timer'] }],
] as const) {
  test(`readConfig reads which services are listed from ${JSON.stringify(env)}`, () => {
    const result = read(env)
    assert.ok(result.kind === 'run')
    assert.deepEqual(result.config.collect.services, services)
  })
}

test('readConfig refuses invalid service patterns', () => {
  const result = read({ SERVICE_PATTERNS: 'ssh,$(id)', SKIP_SYSTEMD: 'perhaps' })
  assert.ok(result.kind === 'refused')
  assert.equal(result.problems.length, 2)
})
