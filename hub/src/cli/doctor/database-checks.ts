import { execFile } from 'node:child_process'
import { Stats } from 'node:fs'
import { cp, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { errorCode } from '../../platform/error-code.ts'
import { thisProgram } from '../../platform/db/migrations/all-migrations.ts'
import { SCHEMA_VERSION } from '../../platform/db/schema-support.ts'
import { checkSqliteFile, type CheckedDatabase } from '../../platform/db/sqlite/database-check.ts'
import { restoreCommands, SQLITE_FILE } from '../../platform/db/sqlite/sqlite.ts'
import { fileProblem } from '../../platform/process/file-problem.ts'
import { requireKey } from '../../platform/secrets/open-secrets.ts'
import type { HubConfig } from '../../startup/config.ts'
import { absent, failing, works, type Finding } from './finding.ts'

/**
 * Type of the content of the database table `hub_state`: an object from the row's key to its text, such as the database id. It is empty for
 * a database without tables.
 */
export type States = CheckedDatabase['states']

/** Timeout of the check of a SQLite file by `vedette doctor`, in ms (2 min). A check takes about 1 s for each GB. */
const CHECK_MS = 120_000
const CONNECT_MS = 5000
/**
 * Maximum size in bytes (512 MiB) of a SQLite file and its WAL that `vedette doctor` copies in order to check them. It copies them only if
 * a killed hub left the WAL; larger ones are not checked.
 */
const MOST_COPIED = 512 * 1024 ** 2
/** Maximum accepted difference between the clocks of the hub and the PostgreSQL server, in ms: 1 minute. */
const MOST_CLOCK_MS = 60_000

const run = promisify(execFile)

export type DatabaseReport = { readonly findings: readonly Finding[]; readonly states: States | undefined }

/**
 * Check of `vedette doctor`: opens the SQLite file of a data directory and checks that it is intact and has this version's tables. Resolves
 * to the findings and its table `hub_state`. It changes no file. `isInUse`: a hub is running on it.
 */
export async function checkDatabaseFile(directory: string, isInUse: boolean): Promise<DatabaseReport> {
  const path = join(directory, SQLITE_FILE)
  const facts = await stat(path).catch((error: unknown) => error)
  if (!(facts instanceof Stats)) return unreadableFile(path, facts)
  const walBytes = await stat(`${path}-wal`).then(
    ({ size }) => size,
    () => 0,
  )
  const isOfKilledHub = !isInUse && walBytes > 0
  if (isOfKilledHub && facts.size + walBytes > MOST_COPIED) {
    const found = 'not checked: the last hub was killed, and the next start completes the file'
    return { findings: [absent('database', found)], states: undefined }
  }
  try {
    const { damage, states } = await (isOfKilledHub ? checkCopy(path) : checkSqliteFile({ path, isInUse }, CHECK_MS))
    const whole =
      damage === undefined ? works('database', `${path} is whole`) : failing('database', `damaged: ${damage}`, restoreCommands(directory))
    return { findings: [whole, checkSchema(states)], states }
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    return { findings: [failing('database', `${path}: ${text}`, restoreCommands(directory))], states: undefined }
  }
}

function unreadableFile(path: string, error: unknown): DatabaseReport {
  if (errorCode(error) === 'ENOENT') return { findings: [absent('database', 'none yet: the first start creates it')], states: {} }
  return { findings: [failing('database', fileProblem(path, error))], states: undefined }
}

/**
 * Copies the SQLite file and WAL of a killed hub to a temporary directory, and checks the copy. SQLite must replay the WAL, which would
 * change the files.
 */
async function checkCopy(path: string): Promise<CheckedDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'vedette-doctor-'))
  try {
    for (const end of ['', '-wal']) await cp(`${path}${end}`, join(folder, `${SQLITE_FILE}${end}`))
    return await checkSqliteFile({ path: join(folder, SQLITE_FILE), isInUse: true }, CHECK_MS)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Check of `vedette doctor`: returns a finding that says whether the database's schema number equals the number of migrations of this
 * program. `states` is the content of the table `hub_state`.
 */
export function checkSchema(states: States): Finding {
  const [schema, known] = [Number(states[SCHEMA_VERSION] ?? 0), thisProgram.migrations.length]
  const found = `schema ${schema}, this program has ${known}`
  if (schema === known) return works('schema', found)
  if (schema < known) return absent('schema', `${found}: the next start makes a backup and upgrades the database`)
  return failing(
    'schema',
    `${found}: a newer version wrote the database`,
    'start the newer version, or restore the backup from before the upgrade: vedette backup list; vedette backup restore NAME',
  )
}

/**
 * Check of `vedette doctor`: returns a finding that says whether the secret key exists and decrypts the database's secrets. `states` is the
 * content of the table `hub_state`; `undefined` if the database could not be read.
 */
export function checkKey({ dataDirectory: directory, secretKey }: HubConfig, states: States | undefined): Finding {
  const box = requireKey({ directory, configured: secretKey?.reveal(), proof: states?.['secretProof'] })
  if (box === undefined) return absent('secret key', 'none yet: the first start creates it')
  return states?.['secretProof'] === undefined
    ? absent('secret key', 'present; there is nothing to compare it with')
    : works('secret key', 'it decrypts the secrets of the database')
}

/**
 * Check of `vedette doctor`: resolves to findings about the PostgreSQL server at `url`, and to its table `hub_state`. The server must
 * respond, its schema and clock must fit, and `pg_dump` must be new enough for backups.
 */
export async function checkDatabaseServer(url: string, nowMs: () => number): Promise<DatabaseReport> {
  const { Client } = await import('pg')
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: CONNECT_MS,
    query_timeout: CONNECT_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('begin read only')
    const facts = await client.query<{ version: string; now: string; exists: boolean }>(
      "select current_setting('server_version') as version, extract(epoch from clock_timestamp()) * 1000 as now, to_regclass('hub_state') is not null as exists",
    )
    const apartMs = Math.abs(Number(facts.rows[0]?.now) - nowMs())
    const { version = '', exists = false } = facts.rows[0] ?? {}
    const rows = exists
      ? (
          await client.query<{ name: string; value: string }>(
            "select name, value from hub_state where name in ('schemaVersion', 'secretProof')",
          )
        ).rows
      : []
    const states: States = Object.fromEntries(rows.map(({ name, value }) => [name, value]))
    const clock =
      apartMs > MOST_CLOCK_MS
        ? failing('clocks', `this clock and the one of PostgreSQL differ by ${Math.round(apartMs / 1000)} s`, 'timedatectl set-ntp true')
        : works('clocks', 'this clock and the one of PostgreSQL agree')
    const schema = exists ? checkSchema(states) : absent('schema', 'no tables yet: the first start creates them')
    return { findings: [works('PostgreSQL', `version ${version} responds`), schema, clock, await checkDumpProgram(version)], states }
  } catch (error) {
    const text = error instanceof Error && error.message !== '' ? error.message : 'it does not respond'
    return { findings: [failing('PostgreSQL', text, 'start the server, or correct --database')], states: undefined }
  } finally {
    await client.end().catch(() => {})
  }
}

async function checkDumpProgram(server: string): Promise<Finding> {
  const printed = await run('pg_dump', ['--version'], { timeout: CONNECT_MS }).then(
    ({ stdout }) => stdout,
    () => '',
  )
  const [, own = ''] = /\) (\d+)/.exec(printed) ?? []
  if (own !== '' && Number(own) >= Number.parseInt(server)) return works('pg_dump', `version ${own}`)
  return failing(
    'pg_dump',
    own === '' ? 'not installed, so there can be no backup' : `version ${own} is older than the server, so there can be no backup`,
    `apt-get install postgresql-client-${Number.parseInt(server)}`,
  )
}
