import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadSignIn, storeSignIn } from '../../src/accounts/sessions/sign-in-settings.ts'
import { applyConfig, type ApplyOptions } from '../../src/operations/configuration/apply-config.ts'
import { changesText } from '../../src/operations/configuration/config-changes-text.ts'
import { ConfigRefusedError } from '../../src/operations/configuration/config-problem.ts'
import { configText } from '../../src/operations/configuration/config-text.ts'
import { exportedConfig, loadConfig } from '../../src/operations/configuration/stored-config.ts'
import { listAudit } from '../../src/records/writing/audit-log.ts'
import { SETTINGS, settingsOf } from '../../src/settings/settings.ts'
import type { Engine } from '../../src/records/engine/engine.ts'
import { databases, type TestDatabaseKind } from '../databases.ts'
import { engineOn } from '../test-engine.ts'

const PASSWORD = 'the mail password'
const secrets = { variable: (name: string) => (name === 'SMTP_PASSWORD' ? PASSWORD : undefined), file: () => undefined }

async function emptyHub(kind: TestDatabaseKind) {
  const { database, events, ...opened } = await kind.open()
  return { engine: engineOn(database), events, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() }
}

const apply = (engine: Engine, text: string, more: Partial<ApplyOptions> = {}) =>
  applyConfig(engine, text, { isDryRun: false, deletesMissing: false, secrets, ...more })
const exported = async (engine: Engine): Promise<string> => configText(exportedConfig(await loadConfig(engine)))
const settings = ({ database, secrets: box }: Engine) => settingsOf(database, box).load()

const file = `version: 1
settings:
  meta: { appName: Our hub, appURL: 'https://hub.example.org', senderName: Hub, senderAddress: hub@example.org }
  smtp: { enabled: true, host: mail.example.org, port: 465, encryption: tls, username: hub, password: { env: SMTP_PASSWORD } }
  backups: { cron: '0 4 * * *', cronMaxKeep: 7 }
  logs: { maxDays: 9 }
  rateLimits: { enabled: true, rules: [{ label: '*:auth', audience: '', maxRequests: 5, duration: 60 }] }
`

for (const kind of databases) {
  test(`${kind.name}: a configuration file sets the hub's settings; the mail password is a reference and is never shown`, async () => {
    await using hub = await emptyHub(kind)
    const { engine, events } = hub
    const plan = await apply(engine, file)
    const { meta, smtp, backups, logs, rateLimits } = await settings(engine)
    assert.equal(meta.appName, 'Our hub')
    assert.equal(smtp.password, PASSWORD)
    assert.equal(smtp.port, 465)
    assert.equal(smtp.authMethod, '', 'a value that the file does not have stays')
    assert.deepEqual(backups, { cron: '0 4 * * *', cronMaxKeep: 7 })
    assert.equal(logs.maxDays, 9)
    assert.deepEqual(rateLimits.rules, [{ label: '*:auth', audience: '', maxRequests: 5, duration: 60 }])
    assert.ok(
      events.some(({ collection }) => collection === SETTINGS),
      'running hubs load the settings',
    )
    const shown = changesText(plan).join('\n')
    assert.match(shown, /^~ settings\.meta\.appName: "Vedette" -> "Our hub"$/m)
    assert.match(shown, /^~ settings\.smtp\.password: \*\*\*$/m)
    const audit = await listAudit(engine.database.kysely, { page: 1, perPage: 10, actor: '', target: '', targetId: '' })
    assert.deepEqual(
      audit.items.map(({ target }) => target),
      ['settings'],
    )
    const text = await exported(engine)
    assert.match(text, /env: SMTP_PASSWORD/)
    for (const one of [shown, text, JSON.stringify(audit)]) assert.ok(!one.includes(PASSWORD))

    const again = await apply(engine, text)
    assert.deepEqual(changesText(again), ['no differences'])
    await using other = await emptyHub(kind)
    await apply(other.engine, text)
    assert.equal(await exported(other.engine), text)
  })

  test(`${kind.name}: a dry run and wrong settings change nothing, and each error names its line`, async () => {
    await using hub = await emptyHub(kind)
    const { engine } = hub
    const before = await settings(engine)
    const dry = await apply(engine, file, { isDryRun: true })
    assert.notDeepEqual(changesText(dry), ['no differences'])
    assert.deepEqual(await settings(engine), before)
    const wrong = `version: 1
settings:
  smtp:
    enabled: true
    host: mail.example.org
    port: 0
  meta: { appName: Other, senderAddress: nobody }
  rateLimits:
    rules:
      - { label: '', audience: '', maxRequests: 0, duration: 60 }
groups:
  - { name: ops }
`
    await assert.rejects(apply(engine, wrong), (error) => {
      assert.ok(error instanceof ConfigRefusedError)
      assert.match(error.message, /^line 6: settings\.smtp\.port: /m)
      assert.match(error.message, /^line 7: settings\.meta\.senderAddress: /m)
      assert.match(error.message, /^line 10: settings\.rateLimits\.rules\[0\]\.label: /m)
      return true
    })
    await assert.rejects(apply(engine, 'version: 1\nsettings: { smtp: { password: plain } }'), /line 2: settings\.smtp\.password: expected/)
    await assert.rejects(apply(engine, 'version: 1\nsettings: { smtp: { hots: a } }'), /line 2: settings\.smtp: Unrecognized key/)
    await assert.rejects(apply(engine, 'version: 1\nsettings: { smtp: { password: { env: ABSENT } } }'), /ABSENT is not set/)
    assert.deepEqual(await settings(engine), before)
    assert.deepEqual(await engine.store.loadWhere('groups', {}), [])
  })

  test(`${kind.name}: a file cannot stop the emails with which everybody signs in`, async () => {
    await using hub = await emptyHub(kind)
    const { engine } = hub
    await apply(engine, file)
    const { users, _superusers } = await loadSignIn(engine.database.kysely)
    const ways = { users: { ...users, mfa: { ...users.mfa, enabled: true } }, _superusers }
    await engine.database.write((unit) => storeSignIn(unit, ways))
    await assert.rejects(apply(engine, 'version: 1\nsettings: { smtp: { enabled: false } }'), /line 2: settings\.smtp\.enabled: Signing in/)
    assert.equal((await settings(engine)).smtp.enabled, true)
  })
}
