import assert from 'node:assert/strict'
import { test } from 'node:test'
import { providerStore, storeProviders } from '../../../src/accounts/providers/providers.ts'
import { signInStore } from '../../../src/accounts/sessions/sign-in-settings.ts'
import { defaultSettings, settingsOf } from '../../../src/settings/settings.ts'
import { databases } from '../../databases.ts'
import { foreignHub, generationsOn, importScene, lineOf, reasonsOf } from './records-scene.ts'

const ADMIN = 'jfhgzel966sgj78'
const settings = (change: object) =>
  `update _params set value = cast(json_patch(cast(value as text), '${JSON.stringify(change)}') as blob) where id = 'settings'`
const options = (change: object) =>
  `update _collections set options = json_patch(options, '${JSON.stringify(change)}') where name = 'users'`
const mail = { enabled: true, host: 'mail.example.com', port: 465, username: 'u', password: 'mail-secret', tls: true }
const provider = {
  clientId: 'id',
  clientSecret: 'provider-secret',
  authURL: 'https://sso.example.com/realms/a/protocol/openid-connect/auth',
}

for (const kind of databases) {
  for (const generation of generationsOn(kind))
    test(`${kind.name}: standard settings of ${generation} change nothing here`, async () => {
      await using scene = await importScene(kind)
      using foreign = foreignHub(generation)
      const plan = await scene.take(foreign)
      const { database, secrets } = scene.target
      assert.deepEqual(await settingsOf(database, secrets).load(), defaultSettings)
      assert.deepEqual(
        [lineOf(plan, 'settings').found, lineOf(plan, 'ways to sign in').found, lineOf(plan, 'identity providers').found],
        [0, 0, 0],
      )
    })

  test(`${kind.name}: changed settings are taken over, with the mail password sealed`, async () => {
    await using scene = await importScene(kind)
    using foreign = foreignHub(
      '0.18.8-head',
      settings({
        meta: { appName: 'Ops', appURL: 'https://ops.example.com/beszel' },
        smtp: mail,
        backups: { cron: '0 3 * * *', cronMaxKeep: 7, s3: { enabled: true } },
        rateLimits: { enabled: true },
        trustedProxy: { headers: ['X-Real-IP'] },
        logs: { maxDays: 9 },
      }),
    )
    const plan = await scene.take(foreign)
    const { database, secrets } = scene.target
    const taken = await settingsOf(database, secrets).load()
    assert.deepEqual(taken.meta, {
      appName: 'Ops',
      appURL: 'https://ops.example.com/beszel',
      senderName: 'Support',
      senderAddress: 'support@example.com',
    })
    assert.deepEqual(taken.smtp, {
      enabled: true,
      host: 'mail.example.com',
      port: 465,
      encryption: 'tls',
      authMethod: '',
      username: 'u',
      password: 'mail-secret',
      localName: '',
    })
    assert.deepEqual(
      [taken.backups, taken.rateLimits.enabled, taken.logs.maxDays, taken.trustedProxy],
      [{ cron: '0 3 * * *', cronMaxKeep: 7 }, true, 9, defaultSettings.trustedProxy],
    )
    assert.deepEqual(reasonsOf(plan, 'settings'), { 'this hub cannot use the value': 1, 'this hub stores backups on its own disk': 1 })
    const stored = await database.kysely.selectFrom('hub_state').selectAll().where('name', '=', 'settings').executeTakeFirstOrThrow()
    assert.equal(stored.value.includes('mail-secret'), false)
    const again = await scene.plan(foreign)
    assert.deepEqual([lineOf(again, 'settings').taken, lineOf(again, 'settings').present], [0, 7])
  })

  test(`${kind.name}: settings that were changed here stay, and unreadable ones are left out`, async () => {
    await using scene = await importScene(kind)
    const { database, secrets } = scene.target
    const own = { ...defaultSettings, meta: { ...defaultSettings.meta, appName: 'Ours' } }
    await settingsOf(database, secrets).save(own, async () => {})
    using foreign = foreignHub('0.18.8-head', settings({ meta: { appName: 'Theirs' }, smtp: { ...mail, port: 'smtp' } }))
    const plan = await scene.take(foreign)
    assert.deepEqual(await settingsOf(database, secrets).load(), {
      ...own,
      meta: { ...own.meta, senderName: 'Support', senderAddress: 'support@example.com' },
    })
    assert.deepEqual(reasonsOf(plan, 'settings'), { 'this hub has its own': 1, 'this hub cannot use the value': 1 })
    using sealed = foreignHub('0.18.8-head', `update _params set value = X'deadbeef'`)
    const unreadable = await scene.plan(sealed)
    assert.equal(
      lineOf(unreadable, 'settings').leftOut[0]?.reason,
      'they cannot be read: the other hub encrypts them with a key from its environment',
    )
  })

  test(`${kind.name}: identity providers and links are taken over, with sealed client secrets`, async () => {
    await using scene = await importScene(kind)
    const link = (id: string, name: string, user = ADMIN) =>
      `insert into _externalAuths (id, collectionRef, recordRef, provider, providerId, created, updated) values ('${id}', '_pb_users_auth_', '${user}', '${name}', 'sub-${id}', '2026-01-01 00:00:00.000Z', '2026-01-01 00:00:00.000Z')`
    using foreign = foreignHub(
      '0.18.8-head',
      options({
        oauth2: {
          enabled: true,
          providers: [
            { name: 'oidc', ...provider, displayName: 'SSO' },
            { name: 'github', ...provider, authURL: '' },
            { name: 'gitlab', ...provider },
            { name: 'oidc2', clientId: '' },
          ],
        },
      }),
      `update _collections set createRule = '@request.context = "oauth2"' where name = 'users'`,
      link('aaaaaaaaaaaaaaa', 'oidc'),
      link('bbbbbbbbbbbbbbb', 'gitlab'),
      link('ccccccccccccccc', 'github', 'gone'),
    )
    const plan = await scene.take(foreign)
    const { database, secrets } = scene.target
    const { enabled, createUsers, providers } = await providerStore(database, secrets, false).load()
    assert.deepEqual([enabled, createUsers], [true, true])
    assert.deepEqual(providers, [
      {
        name: 'oidc',
        displayName: 'SSO',
        clientId: 'id',
        clientSecret: 'provider-secret',
        issuer: 'https://sso.example.com/realms/a',
        groupsClaim: '',
      },
      {
        name: 'github',
        displayName: 'GitHub',
        clientId: 'id',
        clientSecret: 'provider-secret',
        issuer: 'https://github.com',
        groupsClaim: '',
      },
    ])
    assert.deepEqual(
      (await scene.all('_externalAuths')).map(({ id, recordRef, providerId }) => [id, recordRef, providerId]),
      [['aaaaaaaaaaaaaaa', ADMIN, 'sub-aaaaaaaaaaaaaaa']],
    )
    assert.deepEqual(reasonsOf(plan, 'accounts at identity providers'), {
      'the identity provider is not taken over': 1,
      'its user is not here': 1,
    })
    const stored = await database.kysely.selectFrom('hub_state').select('value').where('name', '=', 'providers').executeTakeFirstOrThrow()
    assert.equal(stored.value.includes('provider-secret'), false)
    assert.deepEqual([lineOf(await scene.plan(foreign), 'identity providers').present], [2])
  })

  test(`${kind.name}: links of a provider that is another one here, and of an account here, are left out`, async () => {
    await using scene = await importScene(kind)
    const { database, secrets } = scene.target
    const own = {
      name: 'oidc',
      displayName: 'Own',
      clientId: 'own',
      clientSecret: 's',
      issuer: 'https://other.example.com',
      groupsClaim: '',
    } as const
    await database.write((unit) => storeProviders(unit, secrets, { enabled: false, createUsers: false, providers: [own] }))
    await scene.insert('users', { email: 'bea@example.com', username: 'b', password: 'x', role: 'admin', verified: true })
    using foreign = foreignHub(
      '0.18.8-head',
      options({
        oauth2: {
          enabled: true,
          providers: [
            { name: 'oidc', ...provider },
            { name: 'google', ...provider, authURL: '' },
          ],
        },
      }),
      `insert into _externalAuths (id, collectionRef, recordRef, provider, providerId) values ('aaaaaaaaaaaaaaa', '_pb_users_auth_', '${ADMIN}', 'oidc', '1'), ('bbbbbbbbbbbbbbb', '_pb_users_auth_', 'mqdcvigtc891apa', 'google', '2')`,
    )
    const plan = await scene.take(foreign)
    assert.deepEqual(await scene.all('_externalAuths'), [])
    assert.deepEqual(reasonsOf(plan, 'accounts at identity providers'), {
      'the identity provider is not taken over': 1,
      'the account here keeps its own ways to sign in': 1,
    })
    const kept = await providerStore(database, secrets, false).load()
    assert.deepEqual(
      [kept.enabled, kept.createUsers, kept.providers.map(({ issuer }) => issuer)],
      [false, false, ['https://other.example.com', 'https://accounts.google.com']],
    )
  })

  test(`${kind.name}: a second factor is taken over only with a mail server`, async () => {
    const change = options({ otp: { enabled: true, length: 6, duration: 120 }, mfa: { enabled: true, duration: 600 } })
    await using scene = await importScene(kind)
    const ways = signInStore(scene.database, { passwordOff: false, mfa: undefined })
    using without = foreignHub('0.18.8-head', change)
    const refused = await scene.take(without)
    assert.deepEqual(reasonsOf(refused, 'ways to sign in'), {
      'this hub refuses them: One-time codes are mailed: set up the mail server first': 1,
    })
    assert.equal((await ways.load()).users.mfa.enabled, false)
    using closed = foreignHub('0.18.8-head', options({ passwordAuth: { enabled: false } }))
    assert.deepEqual(Object.keys(reasonsOf(await scene.plan(closed), 'ways to sign in')), [
      'this hub refuses them: There must be a way to sign in; passwords work here: start the hub with --disable-password-auth true',
    ])
    using foreign = foreignHub('0.18.8-head', change, settings({ smtp: mail }))
    await scene.take(foreign)
    const { users, _superusers } = await ways.load()
    assert.deepEqual(
      [users.mfa, users.otp, _superusers.mfa.enabled],
      [{ enabled: true, duration: 600 }, { enabled: true, duration: 120, length: 6 }, false],
    )
    assert.equal(lineOf(await scene.plan(foreign), 'ways to sign in').present, 1)
  })

  test(`${kind.name}: settings of people keep all values, and say which channels cannot be delivered to`, async () => {
    await using scene = await importScene(kind)
    const preferences = {
      chartTime: '1h',
      emails: 'a@example.com',
      webhooks: ['opsgenie://u:secret@broker', 'ntfy://ntfy.sh/topic', 7, 'discord://'],
      unitTemp: '2',
    }
    using foreign = foreignHub(
      '0.18.8-head',
      `update user_settings set settings = '${JSON.stringify(preferences)}'`,
      `insert into user_settings (id, user, settings, created, updated) values ('aaaaaaaaaaaaaaa', 'mqdcvigtc891apa', 'no json', '2026-01-01 00:00:00.000Z', '2026-01-01 00:00:00.000Z'), ('bbbbbbbbbbbbbbb', 'gone', '{}', '', '')`,
      `insert into quiet_hours (id, user, system, type, start, "end") values ('aaaaaaaaaa', '${ADMIN}', 'gone', 'daily', '2026-01-01 22:00:00.000Z', '2026-01-02 06:00:00.000Z'), ('bbbbbbbbbb', '', '', 'daily', '', ''), ('cccccccccc', '${ADMIN}', '', 'weekly', '2026-01-01 22:00:00.000Z', '2026-01-02 06:00:00.000Z'), ('dddddddddd', '${ADMIN}', '', 'daily', 'soon', '2026-01-02 06:00:00.000Z')`,
    )
    const plan = await scene.take(foreign)
    const stored = (await scene.all('user_settings')).map(({ user, settings: values }) => [user, values])
    assert.deepEqual(
      new Map(stored.map(([user, values]) => [String(user), values])),
      new Map<string, unknown>([
        [
          ADMIN,
          {
            chartTime: '1h',
            unitTemp: '2',
            emails: ['a@example.com'],
            webhooks: ['opsgenie://u:secret@broker', 'ntfy://ntfy.sh/topic', 'discord://'],
          },
        ],
        ['mqdcvigtc891apa', {}],
      ]),
    )
    assert.equal(JSON.stringify(plan.lines).includes('secret'), false)
    const reasons = reasonsOf(plan, 'user settings')
    assert.equal(reasons['this hub cannot deliver to a channel of the kind "opsgenie"'], 1)
    assert.equal(reasons['the address of a channel of the kind "discord" cannot be read'], 1)
    assert.deepEqual(reasonsOf(plan, 'quiet hours'), {
      'their system is not here': 1,
      'their user is not here': 1,
      'its "type" is invalid': 1,
      'its "start" is invalid': 1,
    })
    assert.deepEqual(
      (await scene.all('quiet_hours')).map(({ id }) => id),
      ['l6bgn2w3p8'],
    )
  })
}
