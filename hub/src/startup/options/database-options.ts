import { resolve } from 'node:path'
import type { PostgresAddress, PostgresLimits } from '../../platform/db/database.ts'
import { Secret, type Options, type Values } from './options.ts'

/** Map of the command-line options for database, folders, secret key and user: for each its environment variables, help text and parser. */
export const databaseOptions = {
  data: {
    environment: ['VEDETTE_DATA'],
    shape: 'DIR',
    standard: './data',
    doc: 'Folder of the database, keys and secrets. It is created if missing.',
    parse: (text: string) => resolve(text),
  },
  backups: {
    environment: ['VEDETTE_BACKUPS'],
    shape: 'DIR',
    doc: 'Folder of the backups. It must exist; several hubs may share it. Default: `backups` in the data directory.',
    parse: (text: string) => resolve(text),
  },
  database: {
    environment: ['VEDETTE_DATABASE', 'DATABASE_URL'],
    shape: 'URL',
    doc: 'A PostgreSQL database (`postgres://user:password@host/name`) instead of the embedded one in DIR.',
    parse: parseDatabaseUrl,
  },
  databasePooler: {
    environment: ['VEDETTE_DATABASE_POOLER'],
    shape: 'URL',
    doc: 'The same database through PgBouncer in transaction mode. The hub sends its statements there; backups and restores use `--database`.',
    parse: parseDatabaseUrl,
  },
  databaseConnections: {
    environment: ['VEDETTE_DATABASE_CONNECTIONS'],
    shape: 'COUNT',
    standard: '10',
    doc: 'Maximum PostgreSQL connections for the hub’s own statements, 2 to 1000.',
    parse: wholeNumber(2, 1000),
  },
  databaseQueryConnections: {
    environment: ['VEDETTE_DATABASE_QUERY_CONNECTIONS'],
    shape: 'COUNT',
    standard: '4',
    doc: 'Maximum further PostgreSQL connections for queries of users, 1 to 1000.',
    parse: wholeNumber(1, 1000),
  },
  databaseConnectTimeout: {
    environment: ['VEDETTE_DATABASE_CONNECT_TIMEOUT'],
    shape: 'SECONDS',
    standard: '10',
    doc: 'Timeout until a PostgreSQL connection is ready, 1 to 3600.',
    parse: wholeNumber(1, 3600),
  },
  databaseStatementTimeout: {
    environment: ['VEDETTE_DATABASE_STATEMENT_TIMEOUT'],
    shape: 'SECONDS',
    standard: '30',
    doc: 'Timeout of one of the hub’s own statements on PostgreSQL, 1 to 3600. Queries of users have 5 s.',
    parse: wholeNumber(1, 3600),
  },
  databaseLockTimeout: {
    environment: ['VEDETTE_DATABASE_LOCK_TIMEOUT'],
    shape: 'SECONDS',
    standard: '20',
    doc: 'Timeout of a statement that waits for a lock on PostgreSQL, 1 to 3600.',
    parse: wholeNumber(1, 3600),
  },
  secretKey: {
    environment: ['VEDETTE_SECRET_KEY'],
    shape: 'TEXT',
    doc: 'Key that encrypts secrets at rest, at least 32 characters. Default: `DIR/secret.key`, which is created if missing.',
    parse: parseSecretKey,
  },
  enrollFolder: {
    environment: ['VEDETTE_ENROLL_FOLDER'],
    shape: 'DIR',
    doc: 'Folder in which the hub writes its public key (`id_ed25519.pub`) and a `token`: an agent beside it registers with them, once.',
    parse: (text: string) => resolve(text),
  },
  runAs: {
    environment: ['VEDETTE_RUN_AS'],
    shape: 'UID',
    doc: 'Number of the user that a program started by root becomes before it reads or listens. That user becomes the owner of these folders. 0 stays root; the image uses 65532.',
    parse: wholeNumber(0, 4_294_967_294),
  },
} as const satisfies Options

/** Address and limits of a PostgreSQL database. The addresses may contain passwords. */
export type DatabaseServer = { readonly url: Secret; readonly poolerUrl: Secret | undefined; readonly limits: PostgresLimits }

/** Returns the PostgreSQL address and limits from the parsed options; `undefined` for the embedded SQLite database. */
export function databaseServerOf(values: Values<typeof databaseOptions>): DatabaseServer | undefined {
  if (values.database === undefined) return undefined
  return {
    url: values.database,
    poolerUrl: values.databasePooler,
    limits: {
      connections: values.databaseConnections,
      queryConnections: values.databaseQueryConnections,
      connectMs: values.databaseConnectTimeout * 1000,
      statementMs: values.databaseStatementTimeout * 1000,
      lockMs: values.databaseLockTimeout * 1000,
    },
  }
}

export const addressOf = ({ url, poolerUrl, limits }: DatabaseServer): PostgresAddress => ({
  url: url.reveal(),
  poolerUrl: poolerUrl?.reveal(),
  limits,
})

function parseDatabaseUrl(text: string): Secret {
  if (!/^postgres(ql)?:\/\//.test(text)) throw new RangeError('expected postgres://user:password@host/name')
  return new Secret(text)
}

const MIN_SECRET_KEY = 32
function parseSecretKey(text: string): Secret {
  if (text.length < MIN_SECRET_KEY) throw new RangeError(`expected at least ${MIN_SECRET_KEY} characters, got ${text.length}`)
  return new Secret(text)
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    throw new RangeError(`"${text}" is not a whole number from ${least} to ${most}`)
  }
}
