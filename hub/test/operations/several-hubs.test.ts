import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { webSocketAgent } from '../scripted-agent.ts'
import { refusedHub, type HubProcess } from '../hub-process.ts'
import { call, hubsOfOneDatabase, NATS_AWAY, signIn, until } from '../hubs-of-one-database.ts'

type Listed = { readonly [field: string]: Json }

const itemsOf = ({ body }: { readonly body: Listed }) => body['items'] as readonly Listed[] // of a list

test('two hubs have the same key, are listed, and one of them can be drained', { timeout: 300_000 }, async () => {
  await using hubs = await hubsOfOneDatabase(NATS_AWAY)
  const a = await hubs.start('a')
  const b = await hubs.start('b')
  const { token } = await signIn(a)
  const keyOf = async (hub: HubProcess) => (await call(hub, token, 'GET /api/beszel/info')).body['key']
  assert.equal(await keyOf(a), await keyOf(b))

  const listed = async (hub: HubProcess) => itemsOf(await call(hub, token, 'GET /api/vedette/hubs'))
  const items = await until(
    () => listed(b),
    (found) => found.every(({ load }) => load !== null),
  )
  assert.deepEqual(
    items.map(({ name, isThis, isDraining }) => [name, isThis, isDraining]),
    [
      ['a', false, false],
      ['b', true, false],
    ],
  )
  const drain = `/api/vedette/hubs/${String(items[0]?.['id'])}/drain`
  const health = async (hub: HubProcess) => (await call(hub, '', 'GET /api/health')).status
  assert.equal((await call(b, token, `POST ${drain}`)).status, 204)
  await until(
    () => health(a),
    (status) => status === 503,
  )
  assert.equal(await health(b), 200)
  assert.equal((await listed(a))[0]?.['isDraining'], true)
  assert.equal((await call(a, token, `DELETE ${drain}`)).status, 204)
  await until(
    () => health(a),
    (status) => status === 200,
  )
  const { body: audit } = await call(a, token, 'GET /api/vedette/audit')
  assert.match(JSON.stringify(audit), /"end drain".*"drain"/)
})

/** Changes the clock of a hub by an hour. */
const offBy = (sign: '+' | '-') => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`const { now } = Date; Date.now = () => now() ${sign} 3600000`)}`,
})

const wrongClock = (direction: string): RegExp =>
  new RegExp(
    `^Cannot use the database: the clock of this hub is 3\\d\\d\\d s ${direction} the clock of the database; let NTP set the clocks of both$`,
  )

type Refused = { readonly name?: string; readonly key?: string; readonly environment?: Readonly<Record<string, string>> }

/** Hubs that must not run beside hub a, with the error message for the operator. */
const refusals: Readonly<Record<string, Refused & { readonly sentence: RegExp }>> = {
  'another secret key': {
    key: 'a key that no other hub of the database has',
    sentence: /^Cannot open the secrets of the database: they were sealed with another key; give the hub the key from before, .*$/,
  },
  'a name that a living hub uses': {
    name: 'a',
    sentence: /^Cannot use the hub name "a": another hub of this database has it; give each hub a --hub-name of its own$/,
  },
  'a clock that is an hour ahead': { environment: offBy('+'), sentence: wrongClock('ahead of') },
  'a clock that is an hour behind': { environment: offBy('-'), sentence: wrongClock('behind') },
}

test('a hub that would harm the other hubs is refused with one sentence', { timeout: 240_000 }, async (t) => {
  await using hubs = await hubsOfOneDatabase(NATS_AWAY)
  const a = await hubs.start('a')
  for (const [what, { name = 'b', key, environment, sentence }] of Object.entries(refusals))
    await t.test(what, async () => {
      const flags = [
        '--listen',
        '127.0.0.1:0',
        '--log-level',
        'error',
        ...hubs.flags(key),
        '--data',
        join(hubs.folder, `of ${what}`),
        '--hub-name',
        name,
      ]
      const { status, complaints } = await refusedHub(flags, environment)
      assert.equal(status, 1)
      assert.equal(complaints.length, 1, complaints.join('\n'))
      assert.match(complaints[0] ?? '', sentence)
    })
  const { token } = await signIn(a)
  assert.deepEqual(
    itemsOf(await call(a, token, 'GET /api/vedette/hubs')).map((hub) => hub['name']),
    ['a'],
  )
})

test(
  'a drained hub sends its agents to another hub, and changing a token disconnects the agent from any hub',
  { timeout: 300_000 },
  async () => {
    await using hubs = await hubsOfOneDatabase(NATS_AWAY)
    const a = await hubs.start('a')
    const b = await hubs.start('b')
    const { token } = await signIn(a)
    const { body: lent } = await call(a, token, 'GET /api/beszel/universal-token?enable=1')
    const identity = { fingerprint: 'f'.repeat(48), hostname: 'web', port: '45876', systemName: 'web' }
    const connect = (hub: HubProcess) =>
      webSocketAgent({ url: `${hub.address.replace('http', 'ws')}/api/beszel/agent-connect`, token: String(lent['token']), identity })
    const systems = async (hub: HubProcess) => itemsOf(await call(hub, token, 'GET /api/collections/systems/records'))
    const first = connect(a)
    await until(
      () => systems(b),
      ([system]) => system?.['status'] === 'up',
    )
    const listed = itemsOf(await call(b, token, 'GET /api/vedette/hubs'))
    await call(b, token, `POST /api/vedette/hubs/${String(listed[0]?.['id'])}/drain`)
    assert.deepEqual(await first.closedWith, { code: 1001, reason: 'this hub is drained' })
    assert.equal(await connect(a).refusedWith, 503)
    const second = connect(b)
    assert.equal(await second.refusedWith, undefined)
    const ownedBy = async () => itemsOf(await call(a, token, 'GET /api/vedette/hubs')).map((hub) => hub['systems'])
    await until(ownedBy, (counts) => counts.join() === '0,1')
    assert.deepEqual(
      (await systems(a)).map((system) => system['status']),
      ['up'],
    )
    const [holder] = itemsOf(await call(a, token, 'GET /api/collections/fingerprints/records'))
    const changed = await call(a, token, `PATCH /api/collections/fingerprints/records/${String(holder?.['id'])}`, {
      token: 'another token',
    })
    assert.equal(changed.status, 200)
    await second.closedWith
  },
)
