import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { loadProviders } from '../../src/accounts/providers/providers.ts'
import { loadSignIn } from '../../src/accounts/sessions/sign-in-settings.ts'
import { applyConfig, type ApplyOptions } from '../../src/operations/configuration/apply-config.ts'
import { changesText } from '../../src/operations/configuration/config-changes-text.ts'
import { configText } from '../../src/operations/configuration/config-text.ts'
import { exportedConfig, loadConfig } from '../../src/operations/configuration/stored-config.ts'
import { loadState } from '../../src/platform/db/hub-state.ts'
import { secretBox, SECRET_KEY_BYTES } from '../../src/platform/secrets/secret-box.ts'
import { listAudit } from '../../src/records/writing/audit-log.ts'
import type { Engine } from '../../src/records/engine/engine.ts'
import { databases, type TestDatabaseKind } from '../databases.ts'
import { engineOn } from '../test-engine.ts'

const SECRET = 'the client secret'
const secrets = {
  variable: (name: string) => (/^SIGN_IN_(OIDC2?|GITHUB)_SECRET$/.test(name) ? `${SECRET} in ${name}` : undefined),
  file: (path: string) => (path === '/run/secret' ? SECRET : undefined),
}

async function emptyHub(kind: TestDatabaseKind) {
  const { database, ...opened } = await kind.open()
  return { engine: engineOn(database), [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() }
}

const apply = (engine: Engine, text: string, more: Partial<ApplyOptions> = {}) =>
  applyConfig(engine, text, { isDryRun: false, deletesMissing: false, secrets, ...more })
const exported = async (engine: Engine): Promise<string> => configText(exportedConfig(await loadConfig(engine)))
const stored = async ({ database: { kysely }, secrets: box }: Engine) => ({
  ways: await loadSignIn(kysely),
  oauth2: await loadProviders(kysely, box),
})

const file = `version: 1
settings:
  meta: { senderAddress: hub@example.org }
  smtp: { enabled: true, host: mail.example.org }
signIn:
  users:
    otp: { enabled: true, duration: 240 }
    authAlert: { enabled: false }
  admins:
    otp: { enabled: true }
    mfa: { enabled: true }
  oauth2: { enabled: true, createUsers: true }
  providers:
    - { name: oidc, displayName: Tower, issuer: 'https://id.example.com/', clientId: hub, clientSecret: { env: SIGN_IN_OIDC_SECRET }, groupsClaim: teams }
    - { name: github, clientId: hub-2, clientSecret: { file: /run/secret } }
`

for (const kind of databases) {
  test(`${kind.name}: a configuration file sets the ways to sign in; client secrets are references and are never shown`, async () => {
    await using hub = await emptyHub(kind)
    const { engine } = hub
    const before = await exported(engine)
    const dry = changesText(await apply(engine, file, { isDryRun: true })).join('\n')
    assert.equal(await exported(engine), before, 'a dry run writes nothing')
    const shown = changesText(await apply(engine, file)).join('\n')
    assert.equal(shown, dry)
    const { ways, oauth2 } = await stored(engine)
    assert.deepEqual(ways.users.otp, { enabled: true, duration: 240, length: 6 })
    assert.deepEqual([ways.users.alert, ways.users.password, ways._superusers.mfa.enabled], [{ enabled: false }, { enabled: true }, true])
    assert.deepEqual(oauth2, {
      enabled: true,
      createUsers: true,
      providers: [
        {
          name: 'oidc',
          displayName: 'Tower',
          clientId: 'hub',
          clientSecret: `${SECRET} in SIGN_IN_OIDC_SECRET`,
          issuer: 'https://id.example.com',
          groupsClaim: 'teams',
        },
        {
          name: 'github',
          displayName: 'GitHub',
          clientId: 'hub-2',
          clientSecret: SECRET,
          issuer: 'https://github.com',
          groupsClaim: '',
        },
      ],
    })
    assert.match(shown, /^~ signIn\.users\.otp\.duration: 180 -> 240$/m)
    assert.match(shown, /^~ signIn\.oauth2\.createUsers: false -> true$/m)
    assert.match(shown, /^\+ signIn\.providers\.oidc: \{"displayName":"Tower".*"groupsClaim":"teams"\}$/m)
    const text = await exported(engine)
    assert.match(text, /env: SIGN_IN_OIDC_SECRET/)
    const audit = await listAudit(engine.database.kysely, { page: 1, perPage: 10, actor: '', target: 'sign-in', targetId: '' })
    assert.deepEqual(audit.items.map(({ targetName }) => targetName).toSorted(), ['_superusers', 'users', 'users'])
    for (const one of [shown, text, JSON.stringify(audit)]) assert.ok(!one.includes(SECRET))
  })

  test(`${kind.name}: exported ways to sign in are applied again without a difference, and to another hub with equal bytes`, async () => {
    await using hub = await emptyHub(kind)
    const { engine } = hub
    await apply(engine, file)
    const text = await exported(engine)
    // The secret of GitHub has another value in its variable.
    assert.deepEqual(changesText(await apply(engine, text)), ['~ signIn.providers.github.clientSecret: ***'])
    assert.deepEqual(changesText(await apply(engine, text, { deletesMissing: true })), ['no differences'])
    assert.equal(await exported(engine), text)
    await using other = await emptyHub(kind)
    await apply(
      other.engine,
      'version: 1\nsignIn: { providers: [{ name: oidc2, issuer: "https://a.example.com", clientId: a, clientSecret: { env: SIGN_IN_OIDC2_SECRET } }] }',
    )
    await apply(other.engine, text, { deletesMissing: true })
    assert.equal(await exported(other.engine), text)
    assert.deepEqual(await stored(other.engine), await stored(engine))
  })

  test(`${kind.name}: a provider that a file lacks stays, unless missing ones are deleted; a missing field keeps its value`, async () => {
    await using hub = await emptyHub(kind)
    const { engine } = hub
    await apply(engine, file)
    const { oauth2 } = await stored(engine)
    const [oidc, github] = oauth2.providers
    const part = 'version: 1\nsignIn: { providers: [{ name: github, displayName: Code }] }\n'
    assert.deepEqual(changesText(await apply(engine, part)), [
      '~ signIn.providers.github.displayName: "GitHub" -> "Code"',
      'Not in the file, and left as they are: 1 in signIn.providers',
    ])
    assert.deepEqual((await stored(engine)).oauth2, { ...oauth2, providers: [oidc, { ...github, displayName: 'Code' }] })
    assert.deepEqual(changesText(await apply(engine, 'version: 1\nsignIn: {}\n', { deletesMissing: true })), [
      'no differences',
      'Not in the file, and left as they are: 2 in signIn.providers',
    ])
    assert.deepEqual(changesText(await apply(engine, part, { deletesMissing: true })), ['- signIn.providers.oidc'])
    assert.deepEqual((await stored(engine)).oauth2, { ...oauth2, providers: [{ ...github, displayName: 'Code' }] })
    assert.deepEqual(changesText(await apply(engine, 'version: 1\nsignIn: { providers: [] }\n', { deletesMissing: true })), [
      '- signIn.providers.github',
    ])
    assert.deepEqual((await stored(engine)).oauth2, { ...oauth2, providers: [] })
  })

  test(`${kind.name}: a file that gives the order of all providers changes their order`, async () => {
    await using hub = await emptyHub(kind)
    const { engine } = hub
    await apply(engine, file)
    const turned = await apply(engine, 'version: 1\nsignIn: { providers: [{ name: github }, { name: oidc }] }\n')
    assert.deepEqual(changesText(turned), ['~ signIn.providers: ["oidc","github"] -> ["github","oidc"]'])
    assert.deepEqual(
      (await stored(engine)).oauth2.providers.map(({ name }) => name),
      ['github', 'oidc'],
    )
  })

  test(`${kind.name}: wrong ways to sign in change nothing, and each error names its line`, async () => {
    await using hub = await emptyHub(kind)
    const { engine } = hub
    await apply(engine, file)
    const before = JSON.stringify([await stored(engine), await exported(engine)])
    const wrong: readonly (readonly [text: string, expected: RegExp])[] = [
      ['providers: [{ name: oidc, clientSecret: plain }]', /^line 3: signIn\.providers\[0\]\.clientSecret: expected \{ env: NAME \}/],
      ['providers: [{ name: oidc, clientSecret: { env: ABSENT } }]', /^line 3: signIn\.providers\[0\]\.clientSecret: .*ABSENT is not set$/],
      [
        'providers: [{ name: oidc3, clientSecret: { env: ABSENT } }]',
        /^line 3: .*ABSENT is not set\nline 3: .*\[0\]\.clientId: Cannot be blank.*\nline 3: signIn.providers\[0\].issuer: Must be an https address[^\n]*$/,
      ],
      ['providers: [{ name: gitlab }]', /^line 3: signIn\.providers\[0\]\.name: Invalid option/],
      ['providers: [{ name: google, clientId: a }]', /^line 3: signIn\.providers\[0\]\.clientSecret: Cannot be blank/],
      [
        'providers: [{ name: github }, { name: github }]',
        /^line 3: signIn\.providers\[1\]\.name: "github" is already signIn\.providers\[0\]$/,
      ],
      [
        'providers: [{ name: github, issuer: "http://a.example.com" }]',
        /^line 3: signIn\.providers\[0\]\.issuer: Must be an https address/,
      ],
      ['providers: [{ name: oidc, secret: a }]', /^line 3: signIn\.providers\[0\]: Unrecognized key/],
      ['users: { otp: { length: 2 } }', /^line 3: signIn\.users\.otp\.length: Must be a whole number from 4 to 12\.$/],
      [
        'users: { otp: { enabled: false }, passwordAuth: { enabled: false } }',
        /^line 3: signIn\.users\.passwordAuth\.enabled: There must be/,
      ],
      ['admins: { passwordAuth: { enabled: false } }', /^line 3: signIn\.admins\.mfa\.enabled: Needs two ways to sign in/],
      ['admins: { otp: { enabled: false } }', /^line 3: signIn\.admins\.mfa\.enabled: Needs two ways to sign in/],
      ['admins: { otp: { duration: "5" } }', /^line 3: signIn\.admins\.otp\.duration: Invalid input/],
    ]
    for (const [text, expected] of wrong) {
      await assert.rejects(
        apply(engine, `version: 1\nsignIn:\n  ${text}\ngroups: [{ name: ops }]\n`),
        (error: Error) => expected.test(error.message) || assert.fail(`${text}: ${error.message}`),
      )
      assert.equal(JSON.stringify([await stored(engine), await exported(engine)]), before, text)
    }
  })

  test(`${kind.name}: mailed second factors need the mail server of the same file`, async () => {
    await using hub = await emptyHub(kind)
    const { engine } = hub
    const codes = 'signIn: { users: { otp: { enabled: true }, mfa: { enabled: true } } }\n'
    await assert.rejects(
      apply(engine, `version: 1\n${codes}`),
      /^ConfigRefusedError: line 2: signIn\.users\.mfa\.enabled: One-time codes are mailed/,
    )
    await apply(
      engine,
      `version: 1\nsettings: { meta: { senderAddress: hub@example.org }, smtp: { enabled: true, host: mail.example.org } }\n${codes}`,
    )
    const off = 'settings: { smtp: { enabled: false } }\n'
    await assert.rejects(apply(engine, `version: 1\n${off}`), /line 2: settings\.smtp\.enabled: Signing in/)
    await apply(engine, `version: 1\n${off}signIn: { users: { mfa: { enabled: false } } }\n`)
    assert.equal((await stored(engine)).ways.users.mfa.enabled, false)
  })

  test(`${kind.name}: a required second factor ends the sessions of people without one, as on the page`, async () => {
    await using hub = await emptyHub(kind)
    const { engine } = hub
    await apply(
      engine,
      'version: 1\nusers: [{ email: ann@example.com, name: Ann, role: admin }, { email: bob@example.com, name: Bob, role: user }]\n',
    )
    const keys = async () =>
      Object.fromEntries((await engine.store.loadWhere('users', {})).map(({ email, tokenKey }) => [String(email), tokenKey]))
    const before = await keys()
    await apply(engine, 'version: 1\nsignIn: { admins: { secondFactor: { required: true } } }\n')
    const after = await keys()
    assert.notEqual(after['ann@example.com'], before['ann@example.com'])
    assert.equal(after['bob@example.com'], before['bob@example.com'])
    assert.equal((await stored(engine)).ways._superusers.secondFactor.required, true)
  })

  test(`${kind.name}: a provider whose stored secret cannot be read blocks only changes that leave it without one`, async () => {
    await using hub = await emptyHub(kind)
    await apply(hub.engine, file)
    const before = await loadState(hub.engine.database.kysely, 'providers')
    // A restored database of a hub with another key.
    const restored: Engine = { ...hub.engine, secrets: secretBox(randomBytes(SECRET_KEY_BYTES)) }
    assert.match(changesText(await apply(restored, 'version: 1\ngroups: [{ name: ops }]\n')).join('\n'), /^\+ group "ops"/)
    await apply(restored, 'version: 1\nsignIn: { users: { otp: { duration: 300 } } }\n')
    await assert.rejects(
      apply(restored, 'version: 1\nsignIn: { oauth2: { createUsers: false } }\n'),
      /line 2: signIn\.providers\S*: Cannot be blank/,
    )
    assert.equal(await loadState(hub.engine.database.kysely, 'providers'), before, 'the sealed secrets stay as they are')
    const text = await exported(restored)
    assert.match(text, /env: SIGN_IN_OIDC_SECRET/)
    await apply(restored, text)
    const { oauth2 } = await stored(restored)
    assert.deepEqual(
      oauth2.providers.map(({ clientSecret }) => clientSecret),
      [`${SECRET} in SIGN_IN_OIDC_SECRET`, `${SECRET} in SIGN_IN_GITHUB_SECRET`],
    )
  })
}
