import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { openStatusStream } from '../../bench/status-stream.ts'
import { scratchFolder, startProgram } from '../../e2e/programs.ts'
import { roundsOf } from '../test/longer-runs.ts'
import { fakedClock, fakedClockLibrary } from './faked-clock.ts'
import { freePort } from '../../tools/free-port.ts'

const ADMIN = { email: 'admin@example.com', password: 'correct horse battery' }
const TOKEN = 'token-of-the-machine-with-a-faked-clock'
const NAMES = { ssh: 'over-ssh', websocket: 'over-websocket' } as const
/** Samples of each system after each change of the clock. */
const SAMPLES = roundsOf({ short: 1, long: 1, soak: 5 })
/** The next poll comes at most 88 s after the last one. */
const SAMPLE_WITHIN_MS = 240_000
/** Minimum time between two polls of an agent. */
const LEAST_DISTANCE_MS = 20_000

type Row = { readonly id: string; readonly [field: string]: unknown }

const library = fakedClockLibrary()
const skip = library === undefined ? 'faketime is missing' : false

describe('a hub and its agents on a clock that is set forward and back', { skip, concurrency: true }, () => {
  for (const [name, seconds] of [
    ['an hour', 3600],
    ['a day', 86_400],
  ] as const) {
    test(`keep sampling when the clock is set forward and back by ${name}`, { timeout: 1_800_000 }, async () => {
      await using scene = await fakedScene(library ?? '')
      for (const offset of [seconds, 0]) {
        scene.setClock(offset)
        const sinceMs = scene.nowMs()
        await scene.samples(SAMPLES)
        await assertWell(scene)
        assertTrueRows(await scene.rows(), sinceMs, scene.nowMs())
      }
      assert.deepEqual(scene.calledDown(), [])
    })
  }

  type Scene = Awaited<ReturnType<typeof fakedScene>>

  /** Checks that no system is down, the alert is still firing, and all sessions are valid. */
  async function assertWell({ call }: Scene): Promise<void> {
    const systems = await call('GET', '/api/collections/systems/records')
    assert.deepEqual(
      itemsOf(systems)
        .map((system) => [system['name'], system['status']])
        .toSorted(),
      [
        [NAMES.ssh, 'up'],
        [NAMES.websocket, 'up'],
      ],
    )
    const alerts = itemsOf(await call('GET', '/api/collections/alerts/records?sort=name'))
    assert.deepEqual(
      alerts.map((alert) => [alert['name'], alert['triggered']]),
      [
        ['Memory', true],
        ['Status', false],
      ],
    )
    const incidents = itemsOf(await call('GET', '/api/vedette/incidents'))
    assert.deepEqual(
      incidents.map((incident) => [incident['name'], incident['ended']]),
      [['Memory', null]],
    )
    await call('POST', '/api/collections/users/auth-refresh')
  }

  /** Checks the rows after a clock change: new samples have new times, no row is in the future, and no poll is stored twice. */
  function assertTrueRows(rows: readonly Row[], sinceMs: number, nowMs: number): void {
    const future = rows.filter((row) => createdMs(row) > nowMs)
    assert.deepEqual(future, [])
    const samples = rows.filter(({ type }) => type === '1m')
    const bySystem = Map.groupBy(samples, ({ system }) => system)
    assert.equal(bySystem.size, 2)
    for (const own of bySystem.values()) {
      const times = own.map(createdMs)
      assert.ok(times.filter((atMs) => atMs >= sinceMs).length >= SAMPLES, `${times.length} samples`)
      const distances = times.slice(1).map((atMs, at) => atMs - (times[at] ?? 0))
      assert.ok(
        distances.every((ms) => ms >= LEAST_DISTANCE_MS),
        `samples are ${distances.join(', ')} ms apart`,
      )
    }
  }
})

const createdMs = (row: Row): number => Date.parse(String(row['created']).replace(' ', 'T'))

const itemsOf = (answer: { readonly [field: string]: unknown }): readonly Row[] => answer['items'] as readonly Row[] // every list has items

/** A hub, an agent over SSH and one over WebSocket, all on one clock. An alert on the first agent's system is firing. */
async function fakedScene(withLibrary: string) {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(scratchFolder()).path
  const clock = fakedClock(withLibrary, folder)
  let offsetMs = 0
  const [data, tokenFile] = [join(folder, 'data'), join(folder, 'token')]
  writeFileSync(tokenFile, TOKEN)
  const hub = startProgram('hub/src/main.ts', {
    args: ['--listen', '127.0.0.1:0', '--data', data, '--enroll-token-file', tokenFile, '--log-level', 'warn'],
    environment: { ...clock.environment, VEDETTE_ADMIN_EMAIL: ADMIN.email, VEDETTE_ADMIN_PASSWORD: ADMIN.password },
  })
  stack.defer(async () => void (await hub.stop()))
  const url = / listens on (\S+?)\/?$/.exec(await hub.line(/listens on/))?.[1] ?? ''

  let token = ''
  async function call(method: string, path: string, body?: object): Promise<{ readonly [field: string]: unknown }> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: token, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${hub.errors()}`)
    return (await response.json()) as { readonly [field: string]: unknown } // the hub responds with objects
  }
  const signedIn = await call('POST', '/api/collections/users/auth-with-password', { identity: ADMIN.email, password: ADMIN.password })
  token = String(signedIn['token'])
  const { id: user } = signedIn['record'] as { readonly id: string } // the response of a sign-in
  const stream = stack.use(await openStatusStream(url, token))
  const downs: string[] = []
  for (const name of Object.values(NAMES)) {
    const down = stream.next(name, ({ status }) => status === 'down', 3_600_000)
    void down.then(() => downs.push(name)).catch(() => {})
  }

  const sampleOf = (name: string) => stream.next(name, ({ status }) => status === 'up', SAMPLE_WITHIN_MS)
  const first = Promise.all(Object.values(NAMES).map(sampleOf))
  const port = String(await freePort())
  function startAgent(name: string, environment: Readonly<Record<string, string>>): void {
    const directory = join(folder, name)
    mkdirSync(directory)
    const own = { KEY_FILE: join(data, 'id_ed25519.pub'), DATA_DIR: directory, SYSTEM_NAME: name, DOCKER_HOST: '', LOG_LEVEL: 'error' }
    const agent = startProgram('agent/src/main.ts', { environment: { ...clock.environment, ...own, ...environment } })
    stack.defer(async () => void (await agent.stop()))
  }
  startAgent(NAMES.ssh, { LISTEN: `127.0.0.1:${port}` })
  startAgent(NAMES.websocket, { HUB_URL: url, TOKEN, DISABLE_SSH: 'true' })
  const system = await call('POST', '/api/collections/systems/records', {
    name: NAMES.ssh,
    host: '127.0.0.1',
    port,
    users: [user],
    status: 'pending',
  })
  for (const alert of [
    { name: 'Memory', value: 1, min: 1 },
    { name: 'Status', value: 0, min: 1 },
  ]) {
    await call('POST', '/api/collections/alerts/records', { ...alert, user, system: system['id'] })
  }
  await first
  const opened = stack.move()
  return {
    call,
    setClock(offsetSeconds: number): void {
      offsetMs = offsetSeconds * 1000
      clock.set(offsetSeconds)
    },
    nowMs: () => Date.now() + offsetMs,
    /** Waits for this many further samples of each system. */
    async samples(count: number): Promise<void> {
      for (let sample = 0; sample < count; sample++) await Promise.all(Object.values(NAMES).map(sampleOf))
    },
    rows: async () => itemsOf(await call('GET', '/api/collections/system_stats/records?perPage=500&sort=created')),
    calledDown: () => downs,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
