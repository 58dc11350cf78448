import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseImport } from './import-options.ts'

test('parseImport reads the path, switches, and repeated admins in any order', () => {
  const call = parseImport(['--admin', 'a@example.com', '--dry-run', 'folder', '--admin=b@example.com,c@example.com', '--key', 'ours'], {})
  assert.ok(!('problems' in call))
  assert.deepEqual(
    [call.path, call.isDryRun, call.acceptsOld, call.values.admin, call.values.key],
    ['folder', true, false, ['a@example.com', 'b@example.com', 'c@example.com'], 'ours'],
  )
})

test('parseImport reads environment variables', () => {
  const call = parseImport(['x', '--accept-old'], { VEDETTE_IMPORT_ADMIN: 'a@example.com', VEDETTE_IMPORT_SETTINGS_KEY: 'secret' })
  assert.ok(!('problems' in call))
  assert.deepEqual([call.acceptsOld, call.values.admin, call.values.settingsKey?.reveal()], [true, ['a@example.com'], 'secret'])
})

test('parseImport names each problem of a wrong call', () => {
  const cases = [
    [['a', '--key', 'mine'], '--key: expected theirs or ours'],
    [['a', '--admin', 'nobody'], '--admin: expected email addresses such as admin@example.com, separated by commas'],
    [['a', '--admin'], '--admin: needs a value'],
    [['a', '--admin', '--dry-run'], '--admin: needs a value'],
    [['a', '--nothing', 'x'], '--nothing: there is no such option; --help lists all'],
  ] as const
  const nameOne = { ok: false, problems: ['Name the data folder of the other hub, or one backup: vedette import PATH'] }
  assert.deepEqual(parseImport([], {}), nameOne)
  assert.deepEqual(parseImport(['a', 'b'], {}), nameOne)
  for (const [args, problem] of cases) assert.deepEqual(parseImport(args, {}), { ok: false, problems: [problem] })
})
