import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiKeys } from '../../src/accounts/api-keys/api-keys.ts'
import { idsIn } from '../../src/records/filter/matches.ts'
import type { SourcedTag, TagSource } from '../../src/records/model/tag.ts'
import { databases, silentLog } from '../databases.ts'
import { roundsOf } from '../longer-runs.ts'
import { callers, idOf, SYSTEM, TAG, taggedSystem, type Caller } from '../tagged-system.ts'

type Scene = Awaited<ReturnType<typeof taggedSystem>>
type Level = 'view' | 'change' | 'admin'

const isLong = roundsOf({ short: 0, long: 1, soak: 1 }) === 1
const tagged = (...sources: readonly TagSource[]): readonly SourcedTag[] => [{ tag: TAG, sources }]

/** The sources of the tag, and whether the tag then gives access to those to whom it is granted. */
const sources: readonly (readonly [name: string, tags: readonly SourcedTag[], givesAccess: boolean])[] = [
  ['nobody', [], false],
  ['person', tagged('person'), false],
  ['agent', tagged('agent'), false],
  ['rule', tagged('rule'), false],
  ['all that are not trusted', tagged('person', 'agent', 'rule'), false],
  ['token', tagged('token'), true],
  ['admin', tagged('admin'), true],
  ['an agent, accepted by an admin', tagged('admin', 'agent'), true],
  ['an agent, no longer accepted', tagged('agent'), false],
  ['an admin, of another tag', [{ tag: 'other', sources: ['admin'] }, ...tagged('agent')], false],
]

const records = (collection: string) => `/api/collections/${collection}/records`
const listed = (collection: string, field = 'system') => ({
  needs: collection === 'fingerprints' ? ('change' as const) : ('view' as const),
  call: `GET ${records(collection)}?perPage=500&fields=${field}`,
  isAllowed: (text: string) => text.includes(`"${SYSTEM}"`),
})

type Check = {
  readonly needs: Level
  readonly call: string
  readonly json?: { readonly [name: string]: string | number | readonly string[] }
  /** Whether the response shows the system. By default any status but 400, 401, 403 and 404 means access. */
  readonly isAllowed?: (text: string) => boolean
  /** True for a request that would change too much if it were allowed; then it is not sent. */
  readonly isDestructive?: true
}

const checks: readonly Check[] = [
  listed('systems', 'id'),
  ...['containers', 'system_details', 'system_stats', 'container_stats', 'systemd_services', 'smart_devices', 'fingerprints'].map((name) =>
    listed(name),
  ),
  { needs: 'view', call: `GET ${records('systems')}?filter=id="${SYSTEM}"`, isAllowed: (text) => text.includes(`"${SYSTEM}"`) },
  { needs: 'view', call: `GET ${records('systems')}/${SYSTEM}` },
  { needs: 'change', call: `PATCH ${records('systems')}/${SYSTEM}`, json: {} },
  { needs: 'change', call: `DELETE ${records('systems')}/${SYSTEM}`, isDestructive: true },
  { needs: 'view', call: `GET ${records('system_details')}/${SYSTEM}` },
  { needs: 'admin', call: `GET ${records('containers')}/abcdef000001` },
  { needs: 'admin', call: `DELETE ${records('containers')}/abcdef000001`, isDestructive: true },
  { needs: 'view', call: `GET ${records('smart_devices')}/drive0000000001` },
  { needs: 'change', call: `DELETE ${records('smart_devices')}/drive0000000001`, isDestructive: true },
  { needs: 'change', call: `GET ${records('fingerprints')}/print0000000001` },
  { needs: 'change', call: `PATCH ${records('fingerprints')}/print0000000001`, json: {} },
  { needs: 'change', call: `DELETE ${records('fingerprints')}/print0000000001`, isDestructive: true },
  { needs: 'view', call: `GET /api/history/${SYSTEM}` },
  { needs: 'view', call: `GET /api/systems/${SYSTEM}/events` },
  { needs: 'view', call: `GET /api/vedette/alerts/preview?system=${SYSTEM}&name=CPU&value=80&min=10` },
  { needs: 'view', call: `GET /api/beszel/containers/info?system=${SYSTEM}&container=abcdef000001` },
  { needs: 'view', call: `GET /api/beszel/containers/logs?system=${SYSTEM}&container=abcdef000001` },
  { needs: 'view', call: `GET /api/beszel/systemd/info?system=${SYSTEM}&service=ssh` },
  { needs: 'change', call: `POST /api/beszel/smart/refresh?system=${SYSTEM}` },
  { needs: 'change', call: `GET /api/vedette/systems/${SYSTEM}/diagnosis` },
]

function mayDo(caller: Caller, needs: Level, givesAccess: boolean): boolean {
  const { always, byTag } = callers[caller]
  const level = givesAccess ? byTag : always
  if (caller === 'admin' || caller === 'superuser') return true
  return needs === 'change' ? level === 'change' : needs === 'view' && level !== 'none'
}

async function assertAccess(scene: Scene, caller: Caller, check: Check, may: boolean): Promise<void> {
  if (may && check.isDestructive === true) return
  const { status, text } = await scene.ask(caller, check.call, check.json)
  const isAllowed = check.isAllowed === undefined ? ![400, 401, 403, 404].includes(status) : status === 200 && check.isAllowed(text)
  assert.equal(isAllowed, may, `${caller} ${check.call}: ${status} ${text.slice(0, 200)}`)
}

/** Alerts are of their user, who may only have them for a visible system. */
async function assertAlerts({ hub, ask }: Scene, caller: Caller, may: boolean): Promise<void> {
  const { store, database } = hub.engine
  const user = idOf(caller)
  const made = async () => {
    const found = await store.loadWhere('alerts', { system: SYSTEM, user })
    await database.write(async (unit) => {
      for (const { id } of found) await store.remove(unit, 'alerts', id)
    })
    return found.length > 0
  }
  await ask(caller, `POST ${records('alerts')}`, { user, system: SYSTEM, name: 'CPU', value: 80, min: 1 })
  assert.equal(await made(), may, `${caller} creates an alert`)
  await ask(caller, 'POST /api/beszel/user-alerts', { name: 'CPU', value: 80, min: 10, systems: [SYSTEM] })
  assert.equal(await made(), may, `${caller} sets an alert`)
  for (const call of ['GET /api/vedette/incidents', 'GET /api/vedette/incidents/noisy'])
    assert.equal((await ask(caller, call)).text.includes(SYSTEM), may, `${caller} ${call}`)
}

const people = (Object.keys(callers) as Caller[]).filter((one) => one !== 'guest' && one !== 'superuser') // its keys

/** Stores a firing period of an alert of every user, and a key of the scope `read` for each. */
async function prepare({ hub }: Scene): Promise<ReadonlyMap<Caller, string>> {
  const { store, database, clock } = hub.engine
  const keys = apiKeys({ ...hub.engine, log: silentLog })
  const made = new Map<Caller, string>()
  const began = clock.now()
  for (const one of people) {
    await database.write(({ sql }) =>
      sql
        .insertInto('incidents')
        .values({
          id: `i${one}`,
          alert: `a${one}`,
          owner: idOf(one),
          system: SYSTEM,
          kind: 'CPU',
          target: '',
          began,
          threshold: 1,
          minutes: 1,
          value: 2,
          ended: null,
          ending: '',
        })
        .execute(),
    )
    const owner = (await store.load('users', idOf(one))) ?? assert.fail(one)
    made.set(one, (await keys.create({ ...owner, role: 'user' }, { name: 'k', scope: 'read', expiresMs: undefined })).key)
  }
  return made
}

for (const kind of databases) {
  test(
    `${kind.name}: a tag gives access by its source to those to whom it is granted, and to nobody else`,
    { timeout: 300_000 },
    async (t) => {
      await using scene = await taggedSystem(kind)
      const keys = await prepare(scene)
      // Both databases decide with the same rules. The short form sends fewer requests to the slower one.
      const some =
        kind.name === 'postgres' && !isLong
          ? sources.filter(([name]) => ['agent', 'admin', 'an agent, no longer accepted'].includes(name))
          : sources
      for (const [name, tags, givesAccess] of some)
        await t.test(`tag of ${name}`, async () => {
          await scene.setTags(tags)
          for (const caller of Object.keys(callers) as Caller[])
            // its keys
            for (const check of checks) await assertAccess(scene, caller, check, mayDo(caller, check.needs, givesAccess))
          for (const caller of people) {
            const may = mayDo(caller, 'view', givesAccess)
            await assertAlerts(scene, caller, may)
            const { text } = await scene.send(`Bearer ${keys.get(caller)}`, 'GET /metrics')
            assert.equal(text.includes('system="tagged"'), may, `${caller} /metrics`)
          }
        })
    },
  )

  test(`${kind.name}: whoever may change a system by a tag cannot become its user, and cannot keep the tag`, async () => {
    await using scene = await taggedSystem(kind)
    const { store } = scene.hub.engine
    await scene.setTags(tagged('admin', 'agent'))
    const before = (await store.load('systems', SYSTEM)) ?? assert.fail()
    const users = idsIn(before['users'])
    const me = idOf('changer')
    for (const json of [{ 'users+': me }, { users: [me] }, { users: [...users, me] }, { '+users': me }, { 'users-': users[0] ?? '' }]) {
      const { status, text } = await scene.ask('changer', `PATCH ${records('systems')}/${SYSTEM}`, json)
      assert.equal(status, 400, JSON.stringify(json))
      assert.ok(text.includes('"users"'), text)
    }
    for (const json of [{ 'tags+': TAG }, { tags: [TAG, 'env=PROD'] }, { 'tags+': 'env=pro' }]) {
      const { status, text } = await scene.ask('changer', `PATCH ${records('systems')}/${SYSTEM}`, json)
      assert.deepEqual([status, text.includes('validation_tag_grants')], [400, true], JSON.stringify(json))
    }
    assert.deepEqual((await store.load('systems', SYSTEM))?.['tagSources'], before['tagSources'])
    assert.equal(
      (await scene.ask('changer', `PATCH ${records('systems')}/${SYSTEM}`, { users, name: 'tagged', 'tags+': 'mine' })).status,
      200,
    )
    assert.equal((await scene.ask('admin', `PATCH ${records('systems')}/${SYSTEM}`, { 'tags-': TAG })).status, 200)
    assert.equal((await scene.ask('changer', `GET ${records('systems')}/${SYSTEM}`)).status, 404)
    // A system of one's own gives nobody else access.
    const own = { name: 'own', host: 'h', port: '1', users: [me], tags: [TAG] }
    assert.ok((await scene.ask('changer', `POST ${records('systems')}`, own)).text.includes('validation_tag_grants'))
  })
}
