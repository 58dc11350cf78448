import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../tools/free-port.ts'

/** Where Debian puts it, which is on no ordinary account's path. */
const programs = ['pgbouncer', '/usr/sbin/pgbouncer']

/** The program, or undefined on a machine that has none. */
const pgbouncerProgram = (): string | undefined => programs.find((name) => spawnSync(name, ['--version']).status === 0)

/** Options of a test that needs the pooler: it says why it is skipped. */
export const withPgbouncer = { skip: pgbouncerProgram() === undefined && 'there is no pgbouncer here' }

export type Pgbouncer = AsyncDisposable & {
  /** Address of the database through the pooler. */
  readonly url: string
}

/** Fewer than two hubs want: their sessions change with each transaction. */
const POOL_SIZE = 6

/** PgBouncer in transaction mode, with few connections, in front of the database of a test server. As root it runs as `nobody`. */
export async function startPgbouncer(databaseUrl: string): Promise<Pgbouncer> {
  const program = pgbouncerProgram()
  if (program === undefined) throw new Error('There is no pgbouncer')
  const server = new URL(databaseUrl.replace('@/', '@localhost/'))
  const folder = mkdtempSync(join(tmpdir(), 'vedette-pgbouncer-'))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
* = host=${server.searchParams.get('host') ?? ''} user=${server.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${POOL_SIZE}
`,
  )
  const asNobody = userInfo().uid === 0 ? ['-u', 'nobody'] : []
  const child = spawn(program, [...asNobody, file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  const { promise: ready, resolve } = Promise.withResolvers<void>()
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8')
    if (said.includes('process up')) resolve()
  })
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`pgbouncer ended: ${said}`)))
  ended.catch(() => {})
  await Promise.race([ready, ended])
  return {
    url: `postgres://vedette@127.0.0.1:${port}${server.pathname}`,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit')
        child.kill('SIGKILL')
        await exited
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
