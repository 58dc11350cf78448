import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { isRestoreUnconfirmed } from '../../src/operations/backups/pending-restore.ts'
import { SCHEMA_BEFORE } from '../../src/operations/backups/postgres-before-restore.ts'
import { fill, hubData, writeConfig, type HubData } from '../backed-up-hub.ts'
import { databases, machinesPostgres } from '../databases.ts'
import { startHubProcess } from '../hub-process.ts'

const kinds = [databases.find(({ name }) => name === 'sqlite'), machinesPostgres()].filter((kind) => kind !== undefined)

/** A directory with three systems, and a backup `one.zip` with one system and this config.yml. */
async function withBackup({ directory, open }: HubData, config: string): Promise<void> {
  await using hub = await open()
  writeConfig(directory, config)
  await fill(hub, 1)
  await hub.backups.make({ name: 'one.zip', passphrase: undefined, by: 'person' })
  writeConfig(directory, '')
  await fill(hub, 2)
  await hub.backups.prepareRestore('one.zip', undefined)
}

async function startAndStop({ directory, url }: HubData): Promise<string> {
  const hub = await startHubProcess(['--data', directory, ...(url === undefined ? [] : ['--database', url])])
  const response = await fetch(`${hub.address}/api/health`)
  assert.equal(response.status, 200)
  hub.kill('SIGTERM')
  assert.equal(await hub.ended, 0)
  return hub.complaints()
}

async function systemsIn({ open }: HubData): Promise<{ readonly systems: number; readonly isKept: boolean }> {
  await using hub = await open()
  const { kysely, name } = hub.database
  const schemas = sql<{ name: string }>`select nspname as name from pg_namespace where nspname = ${SCHEMA_BEFORE}`
  const isKept = name === 'postgres' && (await schemas.execute(kysely)).rows.length > 0
  return { systems: (await hub.records.loadWhere('systems', {})).length, isKept }
}

for (const kind of kinds) {
  test(`${kind.name}: a hub that responds on restored data deletes the previous data`, { timeout: 300_000 }, async () => {
    await using data = await hubData(kind)
    await withBackup(data, '')
    await startAndStop(data)
    assert.equal(isRestoreUnconfirmed(data.directory), false)
    assert.equal(existsSync(join(data.directory, 'before-restore-over')), false)
    assert.deepEqual(await systemsIn(data), { systems: 1, isKept: false })
  })

  test(`${kind.name}: a hub that cannot start on restored data starts on the previous data`, { timeout: 300_000 }, async () => {
    await using data = await hubData(kind)
    await withBackup(data, 'systems: [')
    assert.match(await startAndStop(data), /everything is as it was before/)
    assert.deepEqual(await systemsIn(data), { systems: 3, isKept: false })
  })
}
