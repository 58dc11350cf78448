import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { usedMark } from '../../../src/fleet/enrolment/enroll.ts'
import { generatePrivateKey, readHubKey, readSharedHubKey } from '../../../src/fleet/ssh/hub-key.ts'
import { planKey, type KeyChoice } from '../../../src/operations/transfer/source/plan-key.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { saveState } from '../../../src/platform/db/hub-state.ts'
import { secretBox } from '../../../src/platform/secrets/secret-box.ts'
import { collections } from '../../../src/records/collections/collections.ts'
import { recordTableStore } from '../../../src/records/engine/record-table-store.ts'
import { databases, type TestDatabaseKind } from '../../databases.ts'
import { foreignFolder } from './foreign-folder.ts'

/** A hub that is stopped, with or without a key, and another hub's data. */
async function scene(kind: TestDatabaseKind, own: string | undefined) {
  const stack = new AsyncDisposableStack()
  const theirs = stack.use(foreignFolder())
  const one = stack.use(await kind.open())
  const foreign = stack.adopt(new DatabaseSync(theirs.database), (database) => database.close())
  const directory = theirs.data
  mkdirSync(directory)
  const secrets = secretBox(randomBytes(32))
  const records = recordTableStore({ database: one.database, collections, secrets, clock: systemClock })
  const target = { database: one.database, records, secrets, clock: systemClock }
  const path = join(directory, 'id_ed25519')
  if (own !== undefined) writeFileSync(path, own)
  return {
    theirs,
    target,
    directory,
    path,
    addSystem: (fields: object) =>
      one.database.write((unit) => records.insert(unit, 'systems', { name: 'own', host: 'own.invalid', port: '', users: [], ...fields })),
    async plan(choice?: KeyChoice, privateKey = theirs.privateKey) {
      const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined
      const made = await planKey({
        foreign: { database: foreign, privateKey: privateKey === 'none' ? undefined : privateKey },
        target,
        directory,
        choice,
      })
      assert.equal(existsSync(path) ? readFileSync(path, 'utf8') : undefined, before)
      await made.write(() => {}, new AbortController().signal)
      const [line] = made.lines
      assert.ok(line)
      const remark = (line.changed[0] ?? line.leftOut[0])?.reason
      return {
        found: line.found,
        taken: line.taken,
        present: line.present,
        remark,
        key: existsSync(path) ? readFileSync(path, 'utf8') : undefined,
      }
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

const needsChoice =
  /^Cannot import the SSH key: this hub has another one, and 1 systems of its own that may know it; choose with --key theirs or --key ours, /

for (const kind of databases) {
  test(`${kind.name}: planKey never replaces a key that agents of this hub may know, unless the operator chooses`, async () => {
    const own = generatePrivateKey()
    await using it = await scene(kind, own)
    await it.addSystem({})
    await assert.rejects(it.plan(), { name: 'TransferRefusedError', message: needsChoice })
    assert.equal(readFileSync(it.path, 'utf8'), own)
    const kept = await it.plan('ours')
    assert.deepEqual([kept.found, kept.taken, kept.key], [1, 0, own])
    assert.match(kept.remark ?? '', /^this hub keeps its own key/)
    const replaced = await it.plan('theirs')
    assert.deepEqual([replaced.taken, replaced.key], [1, it.theirs.privateKey])
    assert.match(replaced.remark ?? '', /^replaces the key of this hub, which stays as id_ed25519\.replaced$/)
    assert.equal(readFileSync(`${it.path}.replaced`, 'utf8'), own)
  })

  test(`${kind.name}: planKey takes the key of the other hub when no other agent knows one`, async () => {
    const own = generatePrivateKey()
    await using it = await scene(kind, own)
    // A system of the dump, which an import brought, and the machine of this hub.
    await it.addSystem({ id: '7ov3oa5jwjy8v9a' })
    const machine = await it.addSystem({ name: 'machine' })
    const token = 'local-token-of-this-hub'
    await it.target.database.write(async (unit) => {
      await it.target.records.insert(unit, 'fingerprints', { system: machine.id, token, fingerprint: 'f'.repeat(48) })
      await saveState(unit.sql, usedMark(token), 'used')
    })
    const { taken, key } = await it.plan()
    assert.deepEqual([taken, key], [1, it.theirs.privateKey])
    // The hub starts with it.
    const { publicLine } = readHubKey(it.directory)
    assert.equal(readFileSync(`${it.path}.pub`, 'utf8').trim(), publicLine)
  })

  test(`${kind.name}: planKey replaces the key that the hubs of a database share`, async () => {
    await using it = await scene(kind, undefined)
    const parts = { ...it.target, directory: it.directory }
    const shared = await readSharedHubKey(parts)
    await it.addSystem({})
    await assert.rejects(it.plan(), { message: needsChoice })
    assert.equal((await it.plan('theirs')).taken, 1)
    const now = await readSharedHubKey(parts)
    assert.notEqual(now.publicLine, shared.publicLine)
    assert.equal(now.privatePem, it.theirs.privateKey)
  })
}

const [sqlite] = databases
assert.ok(sqlite)

test('planKey of a new hub takes the key, finds the same key, and keeps its own without one', async () => {
  const own = generatePrivateKey()
  await using fresh = await scene(sqlite, undefined)
  const taken = await fresh.plan()
  assert.deepEqual(taken, { found: 1, taken: 1, present: 0, remark: undefined, key: fresh.theirs.privateKey })

  await using same = await scene(sqlite, undefined)
  writeFileSync(same.path, same.theirs.privateKey)
  assert.deepEqual(await same.plan(), { found: 1, taken: 0, present: 1, remark: undefined, key: same.theirs.privateKey })

  await using none = await scene(sqlite, own)
  const kept = await none.plan(undefined, 'none')
  assert.deepEqual([kept.found, kept.taken, kept.key], [0, 0, own])
  assert.match(kept.remark ?? '', /^the other hub has no file id_ed25519/)

  await using broken = await scene(sqlite, undefined)
  await assert.rejects(broken.plan(undefined, 'no key'), {
    name: 'TransferRefusedError',
    message:
      /^Cannot import the SSH key of the other hub \(.*\); put its file id_ed25519 back, or keep the key of this hub with --key ours$/,
  })
})
