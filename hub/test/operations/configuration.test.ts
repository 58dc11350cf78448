import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { applyConfig, type ApplyOptions } from '../../src/operations/configuration/apply-config.ts'
import { changesText } from '../../src/operations/configuration/config-changes-text.ts'
import { configJsonSchema } from '../../src/operations/configuration/config-form.ts'
import { ConfigRefusedError } from '../../src/operations/configuration/config-problem.ts'
import { configText } from '../../src/operations/configuration/config-text.ts'
import { exportedConfig, loadConfig } from '../../src/operations/configuration/stored-config.ts'
import type { Engine } from '../../src/records/engine/engine.ts'
import { databases, type TestDatabaseKind } from '../databases.ts'
import { roundsOf } from '../longer-runs.ts'
import { engineOn } from '../test-engine.ts'

const people = ['ann@example.com', 'bob@example.com', 'cid@example.com']

/** A new hub without accounts. */
async function emptyHub(kind: TestDatabaseKind) {
  const { database, events, ...opened } = await kind.open()
  return { engine: engineOn(database), events, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() }
}

/** A new hub with three accounts, the first of them an admin. */
async function hubWithPeople(kind: TestDatabaseKind) {
  const hub = await emptyHub(kind)
  const { engine } = hub
  await engine.database.write(async (unit) => {
    for (const email of people)
      await engine.store.insert(unit, 'users', { email, password: 'x', role: email === people[0] ? 'admin' : 'user', verified: true })
  })
  return hub
}

const exported = async (engine: Engine): Promise<string> => configText(exportedConfig(await loadConfig(engine)))
const apply = (engine: Engine, text: string, more: Partial<ApplyOptions> = {}) =>
  applyConfig(engine, text, { isDryRun: false, deletesMissing: false, secrets, ...more })

/** Each variable whose name begins with `CHANNEL_` has an address that contains the name. */
const secrets = {
  variable: (name: string) => (name.startsWith('CHANNEL_') ? `generic://secret.example.com/${name}` : undefined),
  file: (path: string) => (path === '/run/secret' ? 'generic://secret.example.com/file' : undefined),
}

/** All rows of the tables that a configuration could change. */
async function rowsOf({ database }: Engine): Promise<string> {
  const tables = [
    'users',
    'groups',
    'tag_access',
    'tag_rules',
    'systems',
    'fingerprints',
    'alerts',
    'alert_policies',
    'quiet_hours',
    'user_settings',
    'saved_views',
    'system_fields',
    'system_notes',
    'audit_log',
    'hub_state',
    'system_events',
  ]
  const rows: unknown[] = []
  for (const table of tables) rows.push((await sql`select * from ${sql.table(table)}`.execute(database.kysely)).rows)
  return JSON.stringify(rows)
}

const anyText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => !text.includes('\0') && text.isWellFormed())
const tag = fc.stringMatching(/^[a-z]{1,3}=?[a-zA-Z0-9 é]{0,4}[a-z]$/).map((text) => text.normalize('NFC'))
const policyValues = fc.record(
  {
    off: fc.boolean(),
    threshold: fc.integer({ min: 0, max: 100 }),
    minutes: fc.integer({ min: 1, max: 60 }),
    severity: fc.constantFrom('warning', 'critical'),
  },
  { requiredKeys: [] },
)
const some = fc.subarray(people)
const person = fc.constantFrom(...people)
const systemNames = ['web', 'db 1', 'ü: {#}']
const allFields = [
  { name: 'Rack', kind: 'text', unit: '' },
  { name: 'price', kind: 'price', unit: 'EUR' },
]
const accountOf = (email: string, isFirst: boolean) =>
  fc.record({
    email: fc.constant(email),
    name: anyText,
    role: isFirst ? fc.constant('admin') : fc.constantFrom('user', 'readonly', 'admin'),
  })
const anySettings = fc.record({
  meta: fc.record({ appName: anyText }, { requiredKeys: [] }),
  backups: fc.record({ cron: fc.constantFrom('', '0 4 * * *'), cronMaxKeep: fc.integer({ min: 1, max: 9 }) }, { requiredKeys: [] }),
  logs: fc.record({ maxDays: fc.integer({ min: 1, max: 30 }), logIP: fc.boolean() }, { requiredKeys: [] }),
  trustedProxy: fc.record({ useLeftmostIP: fc.boolean(), networks: fc.subarray(['10.0.0.0/8', '::1']) }, { requiredKeys: [] }),
})
const anyConfig = fc.record({
  settings: anySettings,
  users: fc.tuple(...people.map((email, at) => accountOf(email, at === 0))),
  groups: fc.uniqueArray(
    fc.record({
      name: anyText,
      members: some,
      claim: fc.constantFrom('', 'ops', 'dev'),
      role: fc.constantFrom('', 'readonly', 'user', 'admin'),
    }),
    { selector: ({ name }) => name, maxLength: 3 },
  ),
  access: fc.uniqueArray(fc.record({ tag, user: person, may: fc.constantFrom('view', 'change') }), {
    selector: (grant) => `${grant.tag} ${grant.user}`,
    maxLength: 3,
  }),
  tagRules: fc.uniqueArray(fc.record({ tag, filter: fc.constantFrom("name ~ 'a'", 'host = "b"') }), {
    selector: (rule) => `${rule.tag} ${rule.filter}`,
    maxLength: 3,
  }),
  systems: fc.uniqueArray(
    fc.record({
      name: fc.oneof(fc.constantFrom(...systemNames), anyText),
      host: fc.constantFrom('10.0.0.1', 'fe80::1', '/run/agent.sock'),
      port: fc.constantFrom('', '45876', '/x'),
      paused: fc.boolean(),
      users: fc.subarray(people, { minLength: 1 }),
      tags: fc.uniqueArray(tag, { maxLength: 4 }),
    }),
    { selector: ({ name }) => name, maxLength: 4 },
  ),
  alertRules: fc.uniqueArray(
    fc.record(
      {
        user: person,
        system: fc.constantFrom(...systemNames),
        kind: fc.constantFrom('CPU', 'Status', 'Memory'),
        value: fc.integer({ min: 0, max: 100 }),
        minutes: fc.integer({ min: 0, max: 60 }),
        severity: fc.constantFrom('warning', 'critical'),
      },
      { requiredKeys: ['user', 'system', 'kind', 'value', 'minutes'] },
    ),
    { selector: ({ user, system, kind: name }) => `${user} ${system} ${name}`, maxLength: 4 },
  ),
  alertPolicies: fc.uniqueArray(
    fc.oneof(
      fc.record({ user: person, kind: fc.constantFrom('CPU', 'Status'), values: policyValues }),
      fc.record({ user: person, kind: fc.constantFrom('CPU', 'Status'), tag, values: policyValues }),
      fc.record({
        user: person,
        kind: fc.constant('Container'),
        target: fc.constant('web'),
        system: fc.constantFrom(...systemNames),
        values: policyValues,
      }),
    ),
    { selector: (policy) => JSON.stringify({ ...policy, values: {} }), maxLength: 4 },
  ),
  quietHours: fc.uniqueArray(
    fc.record(
      {
        user: person,
        system: fc.constantFrom(...systemNames),
        type: fc.constantFrom('daily', 'one-time'),
        start: fc.constantFrom('2026-01-01 22:00:00.000Z', '2026-01-01T22:30:00Z'),
        end: fc.constantFrom('2026-01-02 06:00:00.000Z', '2026-01-02'),
      },
      { requiredKeys: ['user', 'type', 'start', 'end'] },
    ),
    { selector: (one) => JSON.stringify(one), maxLength: 3 },
  ),
  channels: fc.uniqueArray(
    fc.record({ user: person, emails: fc.subarray(['a@example.com', 'b@example.com']), addresses: fc.constant([]) }),
    { selector: ({ user }) => user, maxLength: 2 },
  ),
  systemFields: fc.constantFrom([], allFields.slice(0, 1), allFields),
  systemNotes: fc.uniqueArray(
    fc.record({
      system: fc.constantFrom(...systemNames),
      notes: fc.oneof(fc.constant(''), anyText),
      links: fc.constantFrom([], [{ url: 'https://example.com/a' }], [{ name: 'Wiki', url: 'http://example.com' }]),
      values: fc.constantFrom({}, { Rack: '7' }, { price: 3.5, Rack: 'ü' }),
    }),
    { selector: ({ system }) => system, maxLength: 3 },
  ),
  preferences: fc.uniqueArray(
    fc.record(
      {
        user: person,
        quietZone: fc.constantFrom('', 'Europe/Berlin', 'UTC'),
        timeZone: fc.constantFrom('', 'America/New_York'),
        temperature: fc.constantFrom('', 'celsius', 'fahrenheit'),
        network: fc.constantFrom('', 'bytes', 'bits'),
        hours: fc.constantFrom('', '12h', '24h'),
        language: fc.constantFrom('', 'en', 'de'),
        chartRange: fc.constantFrom('', '12h'),
      },
      { requiredKeys: ['user'] },
    ),
    { selector: ({ user }) => user, maxLength: 3 },
  ),
  savedViews: fc.uniqueArray(
    fc.record({ user: person, name: anyText, shared: fc.boolean(), search: fc.constantFrom('', '?tags=a&sort=-cpu') }),
    { selector: ({ user, name }) => `${user} ${name}`, maxLength: 3 },
  ),
})

type AnyConfig = typeof anyConfig extends fc.Arbitrary<infer Config> ? Config : never

/** A configuration without records whose system or field it does not have, and with each value of a claim in one group. */
function withKnownSystems(config: AnyConfig): AnyConfig {
  const known = new Set<string | undefined>([undefined, ...config.systems.map(({ name }) => name)])
  return {
    ...config,
    alertRules: config.alertRules.filter(({ system }) => known.has(system)),
    alertPolicies: config.alertPolicies.filter((policy) => !('system' in policy) || known.has(policy.system)),
    quietHours: config.quietHours.filter(({ system }) => known.has(system)),
    groups: config.groups.map((group, at) =>
      config.groups.some(({ claim }, other) => other < at && claim === group.claim) ? { ...group, claim: '' } : group,
    ),
    systemNotes: config.systemNotes
      .filter(({ system }) => known.has(system))
      .map((notes) => (config.systemFields.length === allFields.length ? notes : { ...notes, values: {} })),
  }
}

const complete = `version: 1
groups:
  - name: ops
    members: [bob@example.com]
access:
  - tag: env=prod
    group: ops
    may: view
tagRules:
  - tag: web
    filter: name ~ 'web'
systems:
  - name: web
    host: 10.0.0.1
    users: [ann@example.com]
    tags: [env=prod]
`

/** Ends of a file whose other parts are right, and the error that is expected. */
const errors: readonly (readonly [name: string, text: string, expected: RegExp])[] = [
  [
    'an unknown user',
    '  - {name: db, host: h, users: [eve@example.com]}\n',
    /^line 17: systems\[1\]\.users: there is no user "eve@example.com"$/,
  ],
  [
    'a host that the API refuses',
    '  - {name: db, host: "a b", users: [ann@example.com]}\n',
    /^line 17: systems\[1\]\.host: Invalid value format\.$/,
  ],
  [
    'a tag that the API refuses',
    '  - {name: db, host: h, users: [ann@example.com], tags: ["a,b"]}\n',
    /^line 17: systems\[1\]\.tags: A tag must not/,
  ],
  [
    'the view of an unknown owner',
    'savedViews:\n  - {user: eve@example.com, name: a}\n',
    /^line 18: savedViews\[0\]\.user: there is no user "eve@example.com"$/,
  ],
  [
    'an address that would run as the reader',
    'systemNotes:\n  - {system: web, links: [{url: "javascript:1"}]}\n',
    /^line 18: systemNotes\[0\]\.links: Must be a list of links/,
  ],
  [
    'a time zone that does not exist',
    'preferences:\n  - {user: ann@example.com, quietZone: Mars/One}\n',
    /^line 18: preferences\[0\]\.quietZone: Must be a time zone/,
  ],
  [
    'two errors',
    '  - {name: db, host: h, port: x, users: [ann@example.com]}\n  - {name: c, host: h, users: []}\n',
    /^line 17: systems\[1\]\.port: Invalid value format\.\nline 18: systems\[2\]\.users: Cannot be blank\.$/,
  ],
]

for (const kind of databases) {
  test(`${kind.name}: an exported configuration applied to another hub is exported with equal bytes`, { timeout: 300_000 }, async () => {
    await using one = await emptyHub(kind)
    await using other = await emptyHub(kind)
    await fc.assert(
      fc.asyncProperty(anyConfig.map(withKnownSystems), async (config) => {
        const all = { deletesMissing: true }
        await apply(one.engine, configText({ version: 1, ...config }), all)
        const text = await exported(one.engine)
        assert.ok(changesText(await apply(one.engine, text)).includes('no differences'))
        await apply(other.engine, text, all)
        assert.equal(await exported(other.engine), text)
      }),
      { numRuns: roundsOf({ short: 5, long: 20, soak: 500 }) },
    )
  })

  test(`${kind.name}: an export that is applied again, and a dry run, write nothing`, { timeout: 300_000 }, async () => {
    await using hub = await hubWithPeople(kind)
    const { engine, events } = hub
    await apply(engine, complete)
    const [before, count] = [await rowsOf(engine), events.length]
    assert.deepEqual((await apply(engine, await exported(engine), { deletesMissing: true })).changes, [])
    const changed = await apply(engine, complete.replace('10.0.0.1', '10.0.0.2').replace('may: view', 'may: change'), { isDryRun: true })
    assert.equal(changed.changes.length, 2)
    assert.equal(await rowsOf(engine), before)
    assert.equal(events.length, count)
  })

  test(
    `${kind.name}: access follows an applied configuration, and the audit log names the command line`,
    { timeout: 300_000 },
    async () => {
      await using hub = await hubWithPeople(kind)
      const { engine } = hub
      await apply(engine, complete)
      const [bob] = await engine.store.loadWhere('users', { email: 'bob@example.com' })
      const [web] = await engine.store.loadWhere('systems', { name: 'web' })
      assert.deepEqual([bob?.['viewTags'], web?.['accessTags'], web?.['status']], [['env=prod'], ['env=prod'], 'pending'])
      assert.equal((await engine.store.loadWhere('fingerprints', { system: web?.id ?? '' })).length, 1)
      const audit = await engine.database.kysely.selectFrom('audit_log').select(['actorName', 'target']).execute()
      assert.deepEqual(new Set(audit.map(({ actorName }) => actorName)), new Set(['command line']))
      await apply(engine, 'version: 1\naccess: []\nsystems:\n  - name: web\n    host: 10.0.0.1\n    tags: []\n', { deletesMissing: true })
      const [after] = await engine.store.loadWhere('users', { email: 'bob@example.com' })
      const [untagged] = await engine.store.loadWhere('systems', { name: 'web' })
      assert.deepEqual([after?.['viewTags'], untagged?.['accessTags']], [[], []])
    },
  )

  test(
    `${kind.name}: a configuration cannot take the role from the last admin, but give it to another one`,
    { timeout: 300_000 },
    async () => {
      await using hub = await hubWithPeople(kind)
      const { engine } = hub
      const before = await rowsOf(engine)
      await assert.rejects(apply(engine, `version: 1\ngroups: [{name: new}]\nusers:\n  - {email: ann@example.com, role: user}\n`), {
        message: "line 4: users[0].role: The only existing admin can't be demoted.",
      })
      assert.equal(await rowsOf(engine), before)
      await apply(engine, `version: 1\nusers:\n  - {email: ann@example.com, role: user}\n  - {email: dan@example.com, role: admin}\n`)
      const admins = await engine.store.loadWhere('users', { role: 'admin', verified: true })
      assert.deepEqual(
        admins.map(({ email }) => email),
        ['dan@example.com'],
      )
      await apply(engine, 'version: 1\nusers: []\n', { deletesMissing: true })
      assert.equal((await engine.store.loadWhere('users', {})).length, 4)
    },
  )

  test(`${kind.name}: addresses of channels are references in the file, and never shown`, { timeout: 300_000 }, async () => {
    await using hub = await hubWithPeople(kind)
    const { engine } = hub
    const file = (addresses: string): string => `version: 1\nchannels:\n  - user: ann@example.com\n    addresses: ${addresses}\n`
    const made = await apply(engine, file('[{env: CHANNEL_X}, {file: /run/secret}]'))
    assert.doesNotMatch(changesText(made).join('\n'), /secret\.example/)
    const [ann] = await engine.store.loadWhere('users', { email: 'ann@example.com' })
    const settings = async () => (await engine.store.loadWhere('user_settings', { user: ann?.id ?? '' }))[0]?.['settings']
    const stored = {
      chartTime: '1h',
      emails: ['ann@example.com'],
      webhooks: ['generic://secret.example.com/CHANNEL_X', 'generic://secret.example.com/file'],
    }
    assert.deepEqual(await settings(), stored)
    const text = await exported(engine)
    assert.match(text, /env: CHANNEL_ANN_EXAMPLE_COM_1\n\s+- env: CHANNEL_ANN_EXAMPLE_COM_2\n/)
    assert.doesNotMatch(text, /secret\.example/)
    const before = await rowsOf(engine)
    assert.deepEqual((await apply(engine, file('[{env: CHANNEL_X}, {file: /run/secret}]'))).changes, [])
    await assert.rejects(apply(engine, file('[{env: MISSING}]')), {
      message: 'line 4: channels[0].addresses[0]: the environment variable MISSING is not set',
    })
    await assert.rejects(apply(engine, file('["generic://secret.example.com"]')), (error: Error) => {
      assert.doesNotMatch(error.message, /secret\.example/)
      return error.message.startsWith('line 4: channels[0].addresses[0]: expected { env: NAME }')
    })
    assert.equal(await rowsOf(engine), before)
    await apply(engine, text)
    assert.deepEqual(await settings(), {
      ...stored,
      webhooks: [1, 2].map((no) => `generic://secret.example.com/CHANNEL_ANN_EXAMPLE_COM_${no}`),
    })
  })

  test(`${kind.name}: a file with one error changes nothing`, { timeout: 300_000 }, async () => {
    await using hub = await hubWithPeople(kind)
    const { engine } = hub
    await apply(engine, 'version: 1\ngroups:\n  - name: old\n')
    const before = await rowsOf(engine)
    for (const [name, wrong, expected] of errors) {
      await assert.rejects(apply(engine, complete + wrong, { deletesMissing: true }), (error) => {
        assert.ok(error instanceof ConfigRefusedError)
        assert.match(error.message, expected, name)
        return true
      })
      assert.equal(await rowsOf(engine), before, name)
    }
  })
}

for (const kind of databases)
  test(`${kind.name}: roles and claims of groups that the API refuses change nothing`, { timeout: 300_000 }, async () => {
    await using hub = await hubWithPeople(kind)
    const { engine } = hub
    const group = (name: string, more: string): string => `  - {name: ${name}, ${more}}\n`
    const file = `version: 1\ngroups:\n${group('ops', 'claim: it-ops, role: admin')}`
    await apply(engine, file)
    const before = await rowsOf(engine)
    const refused: readonly (readonly [text: string, expected: RegExp])[] = [
      [file + group('dev', 'role: root'), /: line 4: groups\[1\]\.role: Invalid option/],
      [file + group('dev', 'claim: it-ops'), /: line 4: groups\[1\]\.claim: /],
      [`${file}users:\n  - {email: ann@example.com, role: readonly}\n`, /only existing admin can't be demoted/],
    ]
    for (const [text, expected] of refused) {
      await assert.rejects(apply(engine, text, { deletesMissing: true }), expected)
      assert.equal(await rowsOf(engine), before)
    }
    await apply(engine, `version: 1\ngroups:\n${group('dev', 'claim: it-ops')}${group('ops', "claim: '', role: ''")}`)
    const roles = (await engine.store.loadWhere('groups', {})).map(({ name, claim, role }) => [name, claim, role])
    assert.deepEqual(roles.toSorted(), [
      ['dev', 'it-ops', ''],
      ['ops', '', ''],
    ])
  })

for (const kind of databases)
  test(`${kind.name}: preferences keep the settings that a file does not name`, { timeout: 300_000 }, async () => {
    await using hub = await hubWithPeople(kind)
    const { engine } = hub
    const channels = 'channels:\n  - {user: ann@example.com, addresses: [{env: CHANNEL_X}]}\n'
    const preferences = 'preferences:\n  - {user: ann@example.com, quietZone: Europe/Berlin, temperature: fahrenheit}\n'
    await apply(engine, `version: 1\n${channels}${preferences}`)
    const settings = async () => (await engine.store.loadWhere('user_settings', {})).map((record) => record['settings'])
    const others = { chartTime: '1h', emails: ['ann@example.com'], webhooks: ['generic://secret.example.com/CHANNEL_X'] }
    assert.deepEqual(await settings(), [{ ...others, quietZone: 'Europe/Berlin', unitTemp: 3 }])
    await apply(engine, "version: 1\npreferences:\n  - {user: ann@example.com, quietZone: ''}\n")
    assert.deepEqual(await settings(), [{ ...others, unitTemp: 3 }])
  })

test('docs/config.schema.json is up to date: write it with node tools/describe-config.ts', () => {
  const path = join(import.meta.dirname, '..', '..', '..', 'docs', 'config.schema.json')
  assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), JSON.parse(JSON.stringify(configJsonSchema())))
})
