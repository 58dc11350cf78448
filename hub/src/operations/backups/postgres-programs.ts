import { spawn } from 'node:child_process'
import { errorCode } from '../../platform/error-code.ts'
import { BackupRefusedError } from './archive/backup-error.ts'
import { SCHEMA_BEFORE } from './postgres-before-restore.ts'
import { STALLED_MS, watchForStall } from './archive/stall-watch.ts'

type Program = 'pg_dump' | 'pg_restore' | 'psql'

/** Maximum length of a reported error output. The first lines say most. */
const MOST_COMPLAINT = 2000

/** A backup has no log entries; it has only the empty tables. */
const withoutLog = ['--exclude-table-data=logs', '--exclude-table-data=log_stretches']

/** The data from before a restore are left out too. */
const withoutKept = `--exclude-schema=${SCHEMA_BEFORE}`

/** Maximum wait of a program for a table that another session has locked. */
const LOCK_WAIT_MS = 60_000

/** Timeout of a program whose progress cannot be measured. */
const UNSEEN_MS = 6 * 3_600_000

export type ProgramOptions = { readonly signal: AbortSignal; readonly stalledMs?: number }

/** Dumps a snapshot of the database in PostgreSQL's custom format. */
export async function dumpPostgres(url: string, to: string, options: ProgramOptions): Promise<void> {
  const how = ['--format=custom', '--compress=1', '--no-owner', '--no-privileges', `--lock-wait-timeout=${LOCK_WAIT_MS}`]
  await run('pg_dump', [...how, ...withoutLog, withoutKept, '--file', to], { ...options, url, growingFile: to })
}

/** Checks that a dump can be read. Throws {@link BackupRefusedError} otherwise. */
export async function checkDump(path: string, options: ProgramOptions): Promise<void> {
  await run('pg_restore', ['--list', path], options)
}

/** Runs the SQL of `makeRoom` and then the dump in one transaction. A failure changes nothing. */
export async function restorePostgres(url: string, dump: string, makeRoom: string, { signal }: ProgramOptions): Promise<void> {
  const script = `${dump}.sql`
  await run('pg_restore', ['--no-owner', '--no-privileges', '--file', script, dump], { signal, growingFile: script })
  await run('psql', ['--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1', '--single-transaction', '--command', makeRoom, '--file', script], {
    url,
    signal,
    stalledMs: UNSEEN_MS,
  })
}

type Running = ProgramOptions & {
  readonly url?: string
  /** A file that grows while the program makes progress. */
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
    env: { ...surroundings(), ...environment },
  })
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (complaint.length < MOST_COMPLAINT) complaint += text
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
  if (status !== 0) throw new BackupRefusedError(`Cannot finish: ${program} says ${complaint.trim().slice(0, MOST_COMPLAINT) || 'nothing'}`)
}

/** Environment variables that the programs need. The hub's secrets are not passed on. */
function surroundings(): Readonly<Record<string, string | undefined>> {
  // oxlint-disable-next-line node/no-process-env -- paths of programs and libraries, locale, and settings of PostgreSQL
  const all = Object.entries(process.env)
  return Object.fromEntries(all.filter(([name]) => /^(?:PATH|HOME|LANG|LC_\w+|LD_\w+|PG\w+)$/.test(name)))
}

/** Splits the URL. The password goes into the environment, because every user of the machine can read arguments. */
function connection(url: string): { readonly address: readonly string[]; readonly environment: { readonly PGPASSWORD?: string } } {
  const parsed = /^(postgres(?:ql)?:\/\/)(?:([^:@/]*)(?::([^@/]*))?@)?(.*)$/.exec(url)
  const [, scheme = '', user = '', password, rest = ''] = parsed ?? []
  const address = ['--dbname', `${scheme}${user === '' ? '' : `${user}@`}${rest}`]
  return { address, environment: password === undefined ? {} : { PGPASSWORD: decodeURIComponent(password) } }
}
