import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { pointsOf } from '@vedette/protocol/metrics/series'
import bcrypt from 'bcryptjs'
import { hashPassword } from '../../src/accounts/passwords/password.ts'
import { readHubKey } from '../../src/fleet/ssh/hub-key.ts'
import { historyStore } from '../../src/history/history-store.ts'
import { exportHub, type ExportParts } from '../../src/operations/transfer/export/export-hub.ts'
import { inProcessEventBus } from '../../src/platform/events/event-bus.ts'
import { openSecrets } from '../../src/platform/secrets/open-secrets.ts'
import { settingsOf, defaultSettings } from '../../src/settings/settings.ts'
import { hubData } from '../backed-up-hub.ts'
import { databases, silentLog } from '../databases.ts'

const NOW_MS = Date.UTC(2026, 0, 10, 12, 5)
const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS
const clock = { now: () => NOW_MS }
const PORTABLE = bcrypt.hashSync('exam-password-1', 10)
const isRight = (password: string, hash: unknown): boolean => bcrypt.compareSync(password, String(hash))

for (const kind of databases)
  describe(`${kind.name}: export for the other hub`, () => {
    async function filled() {
      const made = new AsyncDisposableStack()
      const data = made.use(await hubData(kind, clock))
      const { database, records } = made.use(await data.open())
      const secrets = await openSecrets({ directory: data.directory, configured: undefined, database })
      const add = (collection: string, values: Parameters<typeof records.insert>[2]) =>
        database.write((unit) => records.insert(unit, collection, values))
      const account = { verified: true, role: 'admin', password: PORTABLE }
      const admin = await add('users', { ...account, email: 'admin@example.com', username: 'admin' })
      const own = await add('users', {
        ...account,
        email: 'own@example.com',
        username: 'own',
        password: await hashPassword('own-password-1'),
      })
      const reader = await add('users', { ...account, email: 'reader@example.com', username: 'reader', role: 'readonly', verified: false })
      const system = await add('systems', { name: 'web', host: '192.0.2.1', port: '45876', users: [admin.id, reader.id], status: 'up' })
      await add('fingerprints', { system: system.id, token: 'token-of-the-agent', fingerprint: 'fingerprint-1' })
      await add('alerts', { user: admin.id, system: system.id, name: 'CPU', value: 80, min: 5, target: '' })
      await add('alerts', { user: admin.id, system: system.id, name: 'Filesystem', value: 80, min: 5, target: 'data' })
      await add('alerts_history', { user: admin.id, system: system.id, name: 'CPU', value: 80, alert_id: 'a', resolved: '' })
      await add('user_settings', { user: admin.id, settings: { emails: ['ops@example.com'], webhooks: [] } })
      await settingsOf(database, secrets).save(
        { ...defaultSettings, smtp: { ...defaultSettings.smtp, host: 'smtp.example.com', password: 'mail-password' } },
        async () => {},
      )
      const history = historyStore({ db: database, clock, bus: inProcessEventBus(), log: silentLog })
      const minutes = Array.from({ length: 1500 }, (_, index) => NOW_MS - (index + 1) * MINUTE_MS).toReversed()
      const samples = minutes.map((atMs, index) => ({
        system: system.id,
        atMs,
        kinds: { system: pointsOf({ 'cpu.busyPercent': index % 10 }), containers: pointsOf({ 'web.cpuPercent': 1 }) },
      }))
      await database.write((unit) => history.append(unit, samples))
      const parts: ExportParts = {
        database,
        records,
        secrets,
        clock,
        privateKey: readHubKey(data.directory).privatePem,
        newPassword: undefined,
      }
      const folder = join(data.directory, 'exported')
      return { parts, folder, admin, own, reader, system, directory: data.directory, [Symbol.asyncDispose]: () => made.disposeAsync() }
    }

    test('users, systems, keys, alerts and settings are in the file, and what the other hub lacks is named', async () => {
      await using hub = await filled()
      const lines = await exportHub(hub.parts, hub.folder)
      using file = new DatabaseSync(join(hub.folder, 'data.db'), { readOnly: true })
      const all = (sql: string) =>
        file
          .prepare(sql)
          .all()
          .map((row) => ({ ...row }))
      assert.deepEqual(all('pragma quick_check'), [{ quick_check: 'ok' }])
      const users = all('select email, role, verified, password from users order by email')
      assert.deepEqual(
        users.map(({ email, role, verified }) => [email, role, verified]),
        [
          ['admin@example.com', 'admin', 1],
          ['own@example.com', 'admin', 1],
          ['reader@example.com', 'readonly', 0],
        ],
      )
      assert.ok(isRight('exam-password-1', users[0]?.['password']))
      // The hash of this hub is no use there, and no password must fit.
      assert.ok(!isRight('own-password-1', users[1]?.['password']))
      assert.match(String(users[1]?.['password']), /^\$2[ab]\$10\$/)
      assert.deepEqual(all('select email from _superusers order by email'), [{ email: 'admin@example.com' }, { email: 'own@example.com' }])
      assert.deepEqual(all('select id, name, host, port, users, status from systems'), [
        {
          id: hub.system.id,
          name: 'web',
          host: '192.0.2.1',
          port: '45876',
          users: JSON.stringify([hub.admin.id, hub.reader.id]),
          status: hub.system['status'],
        },
      ])
      assert.deepEqual(all('select token, fingerprint from fingerprints'), [{ token: 'token-of-the-agent', fingerprint: 'fingerprint-1' }])
      assert.deepEqual(all('select name, value, min from alerts'), [{ name: 'CPU', value: 80, min: 5 }])
      assert.equal(all('select * from alerts_history').length, 1)
      const [settings] = all("select value from _params where id = 'settings'")
      assert.equal(JSON.parse(String(settings?.['value'])).smtp.password, 'mail-password')
      assert.equal(readFileSync(join(hub.folder, 'id_ed25519'), 'utf8'), hub.parts.privateKey)
      assert.equal(statSync(join(hub.folder, 'id_ed25519')).mode & 0o777, 0o600)
      assert.equal(statSync(join(hub.folder, 'data.db')).mode & 0o777, 0o600)
      const of = (what: string) => lines.find((line) => line.what === what)
      assert.deepEqual(of('alerts')?.leftOut, [{ reason: 'the other hub has no alert of this kind', count: 1, examples: ['Filesystem'] }])
      assert.deepEqual(
        of('users')?.changed.map(({ count, examples }) => [count, examples]),
        [[1, ['own@example.com']]],
      )
    })

    test('a given password is set for admins without a portable one, and for nobody else', async () => {
      await using hub = await filled()
      await exportHub({ ...hub.parts, newPassword: 'chosen-password-1' }, hub.folder)
      using file = new DatabaseSync(join(hub.folder, 'data.db'), { readOnly: true })
      const fits = file
        .prepare('select email, password from users order by email')
        .all()
        .map(({ email, password }) => [email, isRight('chosen-password-1', password)])
      assert.deepEqual(fits, [
        ['admin@example.com', false],
        ['own@example.com', true],
        ['reader@example.com', false],
      ])
    })

    test('history has the rows that the other hub would still keep, with its averages', async () => {
      await using hub = await filled()
      await exportHub(hub.parts, hub.folder)
      using file = new DatabaseSync(join(hub.folder, 'data.db'), { readOnly: true })
      const counts = file
        .prepare('select type, count(*) as count, min(created) as first from system_stats group by type order by type')
        .all()
      const byType = Object.fromEntries(counts.map(({ type, count }) => [type, count]))
      assert.equal(byType['1m'], 60)
      assert.ok(Number(byType['10m']) >= 71 && Number(byType['10m']) <= 73, JSON.stringify(byType))
      assert.ok(Number(byType['20m']) >= 71 && Number(byType['20m']) <= 73, JSON.stringify(byType))
      assert.ok(Number(byType['120m']) >= 11, JSON.stringify(byType))
      const oldest = Math.min(...counts.map(({ first }) => Date.parse(String(first).replace(' ', 'T'))))
      assert.ok(oldest > NOW_MS - 2 * DAY_MS)
      const tens = file.prepare("select stats from system_stats where type = '10m'").all()
      for (const { stats } of tens.slice(1, -1)) assert.equal(JSON.parse(String(stats)).cpu, 4.5)
      const containers = file.prepare("select stats from container_stats where type = '1m' limit 1").get()
      assert.equal(JSON.parse(String(containers?.['stats']))[0].n, 'web')
    })

    test('a folder that is in use is refused and stays as it is; one of a stopped export is used', async () => {
      await using hub = await filled()
      mkdirSync(hub.folder)
      writeFileSync(join(hub.folder, 'data.db'), 'precious')
      await assert.rejects(exportHub(hub.parts, hub.folder), /is not empty; name a new folder$/)
      assert.equal(readFileSync(join(hub.folder, 'data.db'), 'utf8'), 'precious')
      rmSync(join(hub.folder, 'data.db'))
      writeFileSync(join(hub.folder, 'data.db.unfinished'), 'half')
      await exportHub(hub.parts, hub.folder)
      assert.deepEqual(readdirSync(hub.folder).toSorted(), ['data.db', 'id_ed25519'])
      assert.ok(!existsSync(join(hub.folder, 'data.db.unfinished')))
    })
  })
