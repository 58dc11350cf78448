import { spawn } from 'node:child_process'
import { errorCode } from '../../platform/error-code.ts'
import { BackupRefusedError } from './archive/backup-error.ts'
import { SCHEMA_BEFORE } from './postgres-before-restore.ts'
import { STALLED_MS, watchForStall } from './archive/stall-watch.ts'

type Program = 'pg_dump' | 'pg_restore' | 'psql'

/**
 * Maximum length in characters (2,000) of the quoted error output of `pg_dump`, `pg_restore` or `psql` in an error message about a backup.
 * Longer output is cut.
 */
const LONGEST_ERROR_OUTPUT = 2000

/** Command-line arguments of `pg_dump`, such as `--exclude-table-data=logs`, that leave the rows of the log tables out of a backup. */
const withoutLog = ['--exclude-table-data=logs', '--exclude-table-data=log_stretches']

/** Command-line argument of `pg_dump` (`--exclude-schema=…`) that leaves the data from before a restore out of a backup. */
const withoutEarlierData = `--exclude-schema=${SCHEMA_BEFORE}`

/** Maximum time in ms (60 s) that `pg_dump` waits for a table that another session has locked. After it, the backup fails. */
const LOCK_WAIT_MS = 60_000

/**
 * Timeout in ms of `psql` when it restores a backup, 6 h; the caller's signal may end it earlier. Its progress cannot be measured by a
 * growing file.
 */
const UNMEASURED_TIMEOUT_MS = 6 * 3_600_000

export type ProgramOptions = { readonly signal: AbortSignal; readonly stalledMs?: number }

/**
 * Dumps a PostgreSQL database to the file `to` with `pg_dump`, in its custom format. Left out: rows of the log tables, and the data from
 * before a restore. Rejects with {@link BackupRefusedError} when `pg_dump` fails.
 */
export async function dumpPostgres(url: string, to: string, options: ProgramOptions): Promise<void> {
  const how = ['--format=custom', '--compress=1', '--no-owner', '--no-privileges', `--lock-wait-timeout=${LOCK_WAIT_MS}`]
  await run('pg_dump', [...how, ...withoutLog, withoutEarlierData, '--file', to], { ...options, url, growingFile: to })
}

/** Checks with `pg_restore --list` that the dump file at `path` can be read. Rejects with {@link BackupRefusedError} otherwise. */
export async function checkDump(path: string, options: ProgramOptions): Promise<void> {
  await run('pg_restore', ['--list', path], options)
}

/**
 * Replaces the data of a PostgreSQL database by a dump file, in one transaction that first runs the SQL text `makeRoom`, which empties the
 * database. Rejects with {@link BackupRefusedError} on failure, which changes nothing.
 */
export async function restorePostgres(url: string, dump: string, makeRoom: string, { signal }: ProgramOptions): Promise<void> {
  const script = `${dump}.sql`
  await run('pg_restore', ['--no-owner', '--no-privileges', '--file', script, dump], { signal, growingFile: script })
  await run('psql', ['--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1', '--single-transaction', '--command', makeRoom, '--file', script], {
    url,
    signal,
    stalledMs: UNMEASURED_TIMEOUT_MS,
  })
}

type Running = ProgramOptions & {
  readonly url?: string
  /**
   * Path of the output file of a PostgreSQL program such as `pg_dump`. While it grows, the timeout starts again. Absent: the timeout is
   * fixed.
   */
  readonly growingFile?: string
}

async function run(
  program: Program,
  args: readonly string[],
  { url, signal: within, stalledMs = STALLED_MS, growingFile }: Running,
): Promise<void> {
  using watch = watchForStall(program, within, stalledMs, growingFile)
  const { signal } = watch
  const { address, environment } = url === undefined ? { address: [], environment: {} } : connection(url)
  const child = spawn(program, [...args, ...address], {
    signal,
    // A program that hangs may ignore every other signal.
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...programEnvironment(), ...environment },
  })
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (complaint.length < LONGEST_ERROR_OUTPUT) complaint += text
  })
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  child.on('error', reject)
  child.on('close', resolve)
  const status = await promise.catch((error: unknown) => {
    signal.throwIfAborted()
    if (errorCode(error) !== 'ENOENT') throw error
    throw new BackupRefusedError(
      `Cannot run ${program}: it is not installed. Backups of a PostgreSQL database need PostgreSQL's client programs beside the hub`,
      { cause: error },
    )
  })
  if (status !== 0)
    throw new BackupRefusedError(`Cannot finish: ${program} says ${complaint.trim().slice(0, LONGEST_ERROR_OUTPUT) || 'nothing'}`)
}

/**
 * Returns the environment variables for `pg_dump`, `pg_restore` and `psql`, as object from name to value: paths, locale and `PG*`. The
 * hub's secrets are not among them.
 */
function programEnvironment(): Readonly<Record<string, string | undefined>> {
  // oxlint-disable-next-line node/no-process-env -- paths of programs and libraries, locale, and settings of PostgreSQL
  const all = Object.entries(process.env)
  return Object.fromEntries(all.filter(([name]) => /^(?:PATH|HOME|LANG|LC_\w+|LD_\w+|PG\w+)$/.test(name)))
}

/**
 * Returns the command-line arguments (`address`) and environment variables with which PostgreSQL's programs connect to a URL. The password
 * goes into `PGPASSWORD`, because every user of the machine can read arguments.
 */
function connection(url: string): { readonly address: readonly string[]; readonly environment: { readonly PGPASSWORD?: string } } {
  const parsed = /^(postgres(?:ql)?:\/\/)(?:([^:@/]*)(?::([^@/]*))?@)?(.*)$/.exec(url)
  const [, scheme = '', user = '', password, rest = ''] = parsed ?? []
  const address = ['--dbname', `${scheme}${user === '' ? '' : `${user}@`}${rest}`]
  return { address, environment: password === undefined ? {} : { PGPASSWORD: decodeURIComponent(password) } }
}
