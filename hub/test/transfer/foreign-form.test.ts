import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { createForeignFile } from '../../src/operations/transfer/export/foreign-file.ts'
import { authOptions, noOauth2, oauth2Options, settingsParam } from '../../src/operations/transfer/export/foreign-options.ts'
import { defaultSettings } from '../../src/settings/settings.ts'
import { makeMemoryFolder } from '../memory-folder.ts'

const ways = {
  password: { enabled: true },
  otp: { enabled: false, duration: 180, length: 6 },
  mfa: { enabled: false, duration: 600 },
  secondFactor: { required: false },
  alert: { enabled: true },
}
const noProviders = { enabled: false, createUsers: false, providers: [] }

/** Returns the names of all members of a JSON value, with the kind of each value; secrets and texts of mails differ in value. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return 'list'
  if (typeof value !== 'object' || value === null) return value === null ? 'list' : typeof value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]))
}

describe('exported file has the form of the recorded database of version 0.18.8', () => {
  const folder = makeMemoryFolder('vedette-foreign-form-')
  const recorded = new DatabaseSync(':memory:')
  let written: DatabaseSync

  before(() => {
    recorded.exec(readFileSync(join(import.meta.dirname, 'foreign', '0.18.8-head.sql'), 'utf8'))
    const path = join(folder, 'data.db')
    const options = {
      users: authOptions({ ways, sessionSeconds: 432_000, authRule: 'verified=true', oauth2: oauth2Options(noProviders) }),
      _superusers: authOptions({ ways, sessionSeconds: 86_400, authRule: '', oauth2: noOauth2 }),
    }
    createForeignFile(path, { options, settings: settingsParam(defaultSettings), nowMs: 1_700_000_000_000 }).finish()
    written = new DatabaseSync(path, { readOnly: true })
  })

  after(() => {
    written.close()
    recorded.close()
    rmSync(folder, { recursive: true })
  })

  const ofBoth = <T>(read: (database: DatabaseSync) => T): readonly [T, T] => [read(written), read(recorded)]

  test('tables and columns', () => {
    const [own, theirs] = ofBoth((database) =>
      database
        .prepare(
          "select t.name || '.' || c.name as place, upper(c.type) as type, c.\"notnull\" as needed, replace(c.dflt_value, '\"', '''') as standard, c.pk from sqlite_schema t, pragma_table_info(t.name) c where t.type = 'table' and t.name not like 'sqlite_%' order by place",
        )
        .all(),
    )
    assert.ok(theirs.length > 150)
    assert.deepEqual(own, theirs)
  })

  test('indexes', () => {
    const plain = (sql: unknown): string =>
      String(sql)
        .replaceAll(/[\s`]+/g, '')
        .toLowerCase()
    const [own, theirs] = ofBoth((database) =>
      database
        .prepare("select name, sql from sqlite_schema where type = 'index' and sql is not null order by name")
        .all()
        .map(({ name, sql }) => [name, plain(sql)]),
    )
    assert.ok(theirs.length > 25)
    assert.deepEqual(own, theirs)
  })

  test('collections with their fields, indexes and access rules', () => {
    const [own, theirs] = ofBoth((database) =>
      database
        .prepare('select id, system, type, name, fields, indexes, listRule, viewRule, createRule, updateRule, deleteRule from _collections')
        .all()
        .map(({ fields, indexes, ...others }) => ({ ...others, fields: JSON.parse(String(fields)), indexes: JSON.parse(String(indexes)) })),
    )
    assert.equal(theirs.length, 19)
    assert.deepEqual(own, theirs)
  })

  test('options of the collections with accounts', () => {
    const [own, theirs] = ofBoth((database) =>
      database
        .prepare('select name, options from _collections order by name')
        .all()
        .map(({ name, options }) => [name, shapeOf(JSON.parse(String(options)))]),
    )
    assert.deepEqual(own, theirs)
  })

  test('migrations, except that of the database of logs', () => {
    const [own, theirs] = ofBoth((database) =>
      database
        .prepare('select file from _migrations order by file')
        .all()
        .map(({ file }) => file),
    )
    assert.deepEqual(
      own,
      theirs.filter((file) => file !== '1640988000_aux_init.go'),
    )
  })

  test('settings', () => {
    const [own, theirs] = ofBoth((database) => {
      const { value } = database.prepare("select cast(value as text) as value from _params where id = 'settings'").get() ?? {}
      return shapeOf(JSON.parse(String(value)))
    })
    assert.deepEqual(own, theirs)
  })
})
