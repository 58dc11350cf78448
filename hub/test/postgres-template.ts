import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { openDatabase } from '../src/platform/db/open-database.ts'
import { inProcessEventBus } from '../src/platform/events/event-bus.ts'

/** A database whose tables are made, to be copied: the server does that in a fraction of the time that making them takes. */
export type Template = AsyncDisposable & { readonly name: string }

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** Makes one on the server, which forgets it when it is disposed of. Nobody can connect to it meanwhile, so it stays as it is. */
export async function makeTemplate(serverUrl: string): Promise<Template> {
  const name = `vedette_template_${randomBytes(8).toString('hex')}`
  await administer(serverUrl, `create database ${name}`)
  const database = await openDatabase({ at: { url: databaseUrl(serverUrl, name) }, bus: inProcessEventBus(), log: silent })
  await database.close()
  await administer(serverUrl, `alter database ${name} allow_connections false`)
  return { name, [Symbol.asyncDispose]: () => administer(serverUrl, `drop database ${name} with (force)`) }
}

/** The server's address with another database's name. A socket's folder stands where a host should, which URLs do not know. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl.replace('@/', '@socket/'))
  url.pathname = `/${name}`
  return url.href.replace('@socket/', '@/')
}

/** One statement of a superuser's. */
export async function administer(serverUrl: string, statement: string): Promise<void> {
  await rowsOf(serverUrl, statement)
}

/** The rows of one statement, on a connection of its own. The caller knows their fields. */
export async function rowsOf<Row extends object>(serverUrl: string, statement: string): Promise<readonly Row[]> {
  const client = new Client({ connectionString: serverUrl, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}
