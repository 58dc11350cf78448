import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { z } from 'zod'
import { haproxyConfig } from '../../../tools/haproxy-config.ts'
import { programNamed } from '../../../tools/installed-programs.ts'
import { hubOptions, parseHubConfig } from '../../src/startup/config.ts'

const hubFolder = join(import.meta.dirname, '..', '..')
const folder = join(hubFolder, 'compose')
const composeFile = join(folder, 'compose.yaml')
const haproxyFile = join(folder, 'haproxy.cfg')
const composeText = readFileSync(composeFile, 'utf8')

const service = z.object({
  environment: z.record(z.string(), z.string()).optional(),
  command: z.array(z.string()).optional(),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  networks: z.union([z.array(z.string()), z.object({ hubs: z.object({ ipv4_address: z.string() }) })]),
})
const { services } = z.object({ services: z.record(z.string(), service) }).parse(parse(composeText, { merge: true }))

const secrets = { POSTGRES_PASSWORD: 'p'.repeat(64), NATS_PASSWORD: 'n'.repeat(64), VEDETTE_SECRET_KEY: 's'.repeat(64) }

/** Substitutes variables like Docker Compose. A variable without a default must be a secret. */
const substituted = (text: string): string =>
  text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, mark: string, rest: string) => {
    const secret = new Map<string, string>(Object.entries(secrets)).get(name)
    if (secret === undefined) assert.equal(mark, '-', `${name} needs a default`)
    return secret ?? rest
  })

const addressOf = (name: string): string => {
  const networks = services[name]?.networks
  assert.ok(networks !== undefined && 'hubs' in networks, `${name} has a fixed address`)
  return networks.hubs.ipv4_address
}

const hubs = ['a', 'b', 'c'].map((name) => {
  const environment = Object.entries(services[`hub-${name}`]?.environment ?? {}).map(([key, text]) => [key, substituted(text)])
  const result = parseHubConfig([], Object.fromEntries(environment))
  assert.ok(result.ok, result.ok ? '' : result.problems.join('\n'))
  return { name, names: environment.map(([key]) => key), config: result.config }
})

for (const { name, names, config } of hubs) {
  test(`compose: hub ${name} uses existing options and the services of the file`, () => {
    const known = Object.values(hubOptions).flatMap(({ environment }): readonly string[] => environment)
    assert.deepEqual(
      names.filter((one) => one === undefined || !known.includes(one)),
      [],
    )
    assert.equal(config.hubName, name)
    assert.deepEqual(config.listen, { host: '0.0.0.0', port: 8090 })
    assert.deepEqual(config.trustedProxies, [addressOf('haproxy')])
    assert.equal(config.secretKey?.reveal(), secrets.VEDETTE_SECRET_KEY)
    const postgres = services['postgres']?.environment
    assert.equal(
      config.database?.url.reveal(),
      `postgres://${postgres?.['POSTGRES_USER']}:${secrets.POSTGRES_PASSWORD}@postgres/${postgres?.['POSTGRES_DB']}`,
    )
    const [, user = '', , password = ''] = services['nats']?.command ?? []
    assert.equal(config.nats?.servers.reveal(), `nats://${user}:${substituted(password)}@nats:4222`)
    const mounted = services[`hub-${name}`]?.volumes
    assert.deepEqual(mounted, [`data-${name}:${config.dataDirectory}`, `backups:${config.backupFolder}`])
  })
}

test('compose: the file contains no secret, and no secret has a default', () => {
  assert.equal(substituted(services['postgres']?.environment?.['POSTGRES_PASSWORD'] ?? ''), secrets.POSTGRES_PASSWORD)
  for (const name of Object.keys(secrets)) {
    const uses = [...composeText.matchAll(new RegExp(`\\$\\{${name}(.*?)\\}`, 'g'))].map(([, rest]) => rest)
    assert.ok(uses.length > 0, name)
    assert.deepEqual([...new Set(uses)], [':?set it in the file .env'], name)
  }
})

test('compose: HAProxy listens on the published port and forwards to the hubs', () => {
  const addresses = hubs.map(({ name, config }) => ({
    name,
    address: `${addressOf(`hub-${name}`)}:${'port' in config.listen ? config.listen.port : ''}`,
  }))
  assert.equal(readFileSync(haproxyFile, 'utf8'), haproxyConfig(':8090', addresses))
  assert.deepEqual(services['haproxy']?.ports?.map(substituted), ['127.0.0.1:8090:8090'])
  assert.deepEqual(services['haproxy']?.volumes, ['./haproxy.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro'])
})

const haproxy = programNamed('haproxy')
test('compose: HAProxy accepts its configuration', { skip: haproxy === undefined && 'there is no haproxy here' }, () => {
  const { status, stderr } = spawnSync(haproxy ?? '', ['-c', '-f', haproxyFile], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
})

const compose = programNamed('docker-compose')
for (const file of ['compose.yaml', 'hub.yaml', 'hub-and-agent.yaml', 'hub-postgres.yaml'])
  test(`compose: docker-compose accepts ${file}`, { skip: compose === undefined && 'there is no docker-compose here' }, () => {
    const environment = { PATH: process.env['PATH'], ...secrets }
    const { status, stderr } = spawnSync(compose ?? '', ['-f', join(folder, file), 'config', '--quiet'], {
      encoding: 'utf8',
      env: environment,
    })
    assert.equal(status, 0, stderr)
  })

const confined = z.object({
  environment: z.record(z.string(), z.string()),
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal('ALL')]),
  cap_add: z.array(z.string()),
  security_opt: z.array(z.string()),
  volumes: z.array(z.string()),
  ports: z.array(z.string()).optional(),
})

for (const [file, name] of [
  ['hub.yaml', 'hub'],
  ['hub-and-agent.yaml', 'hub'],
  ['hub-postgres.yaml', 'hub'],
  ['compose.yaml', 'hub-a'],
] as const)
  test(`compose: the hub of ${file} is confined, uses existing options, and is published on this machine only`, () => {
    const parsed = z
      .object({ services: z.record(z.string(), z.unknown()) })
      .parse(parse(readFileSync(join(folder, file), 'utf8'), { merge: true }))
    const { environment, ports, cap_add: added, security_opt: security, volumes } = confined.parse(parsed.services[name])
    assert.deepEqual(added, ['CHOWN', 'SETGID', 'SETUID'])
    assert.deepEqual(security, ['no-new-privileges:true'])
    assert.ok(volumes.some((volume) => volume.endsWith(':/data')))
    const texts = Object.entries(environment).map(([key, text]) => [key, substituted(text)])
    const known = Object.values(hubOptions).flatMap(({ environment: variables }): readonly string[] => variables)
    assert.deepEqual(
      Object.keys(environment).filter((key) => !known.includes(key)),
      [],
    )
    const result = parseHubConfig([], Object.fromEntries(texts))
    assert.ok(result.ok, result.ok ? '' : result.problems.join('\n'))
    if (file !== 'compose.yaml') assert.deepEqual(ports?.map(substituted), ['127.0.0.1:8090:8090'])
  })
