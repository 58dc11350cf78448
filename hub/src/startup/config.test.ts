import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseHubConfig } from './config.ts'
import { describeOptions, flagName } from './options/options.ts'
import { hubOptions } from './config.ts'

test('parseHubConfig without options listens on loopback and uses ./data', () => {
  const result = parseHubConfig([], {})
  assert.ok(result.ok)
  assert.deepEqual(result.config.listen, { host: '127.0.0.1', port: 8090 })
  assert.match(result.config.dataDirectory, /\/data$/)
  assert.equal(result.config.database, undefined)
})

test('parseHubConfig prefers flags to environment variables, and accepts both spellings of a flag', () => {
  const environment = { VEDETTE_LISTEN: '0.0.0.0:1', VEDETTE_DATA: '/a', DATABASE_URL: 'postgres://u:p@h/n' }
  const result = parseHubConfig(['--listen', '[::1]:2', '--data=/b'], environment)
  assert.ok(result.ok)
  assert.deepEqual(result.config.listen, { host: '::1', port: 2 })
  assert.equal(result.config.dataDirectory, '/b')
  assert.equal(result.config.database?.url.reveal(), 'postgres://u:p@h/n')
})

test('parseHubConfig returns all problems at once, each with the name of its option', () => {
  const result = parseHubConfig(['--listen', 'nowhere', '--colour', 'red', 'start', '--data'], {
    VEDETTE_LOG_LEVEL: 'loud',
    VEDETTE_SECRET_KEY: 'short',
    DATABASE_URL: 'mysql://x',
  })
  assert.ok(!result.ok)
  assert.deepEqual(
    result.problems.map((problem) => problem.split(':')[0]),
    ['--colour', '--data', '--listen', 'DATABASE_URL', 'VEDETTE_SECRET_KEY', 'VEDETTE_LOG_LEVEL'],
  )
})

test('parseHubConfig requires both email and password of the first admin', () => {
  const result = parseHubConfig([], { VEDETTE_ADMIN_EMAIL: 'admin@example.com' })
  assert.deepEqual(result, { ok: false, problems: ['--admin-email and --admin-password: the first admin needs both'] })
})

test('parseHubConfig accepts NATS servers only with a PostgreSQL database', () => {
  const servers = 'nats://user:hidden@a:4222,tls://b:4222'
  const alone = parseHubConfig(['--nats', servers], {})
  assert.deepEqual(alone, {
    ok: false,
    problems: ['--nats: several hubs need one PostgreSQL database; give it with --database, or leave --nats out'],
  })
  const shared = parseHubConfig(['--nats', servers, '--hub-name', 'north-1', '--database', 'postgres://u:p@h/n'], {})
  assert.ok(shared.ok)
  assert.equal(shared.config.nats?.servers.reveal(), servers)
  assert.equal(shared.config.hubName, 'north-1')
  assert.doesNotMatch(JSON.stringify(shared.config), /hidden/)
})

test('parseHubConfig refuses an invalid NATS address without repeating its password, and credentials without servers', () => {
  const result = parseHubConfig(['--nats', 'nats://a,http://user:hidden@b', '--hub-name', 'two words'], {})
  assert.ok(!result.ok)
  assert.deepEqual(
    result.problems.map((problem) => problem.split(':')[0]),
    ['--nats', '--hub-name'],
  )
  assert.doesNotMatch(result.problems.join(), /hidden/)
  const unused = parseHubConfig(['--nats-credentials', 'hub.creds'], {})
  assert.deepEqual(unused, { ok: false, problems: ['--nats-credentials: there are no servers for it; give them with --nats'] })
})

test('parseHubConfig: secrets appear neither as text nor in JSON', () => {
  const result = parseHubConfig([], { DATABASE_URL: 'postgres://u:hidden@h/n', VEDETTE_SECRET_KEY: 'k'.repeat(32) })
  assert.ok(result.ok)
  assert.doesNotMatch(JSON.stringify(result.config) + String(result.config.database?.url), /hidden|kkk/)
})

test('describeOptions lists every flag and its environment variable', () => {
  const help = describeOptions(hubOptions)
  for (const [name, { environment }] of Object.entries(hubOptions)) {
    assert.ok(help.includes(flagName(name)) && help.includes(environment[0]), name)
  }
})
