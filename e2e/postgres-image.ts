import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, globSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { programNamed } from '../tools/installed-programs.ts'
import { scratchFolder } from './programs.ts'

/** Numeric id, 999, of the user and group as which PostgreSQL runs in the container that a test starts. */
const SERVER_USER = 999

/** Path, in the test's PostgreSQL container, of the folder with the database files, as in the image that the compose file names. */
const DATA = '/var/lib/postgresql/data'

/** Names of the programs that the start script of the test's PostgreSQL image runs, besides PostgreSQL's own. initdb needs a shell. */
const tools = ['sh', 'cat', 'chown', 'mkdir', 'setpriv']

/**
 * Text of the shell script that starts a container of the PostgreSQL image: it makes the database cluster at the first start and then
 * becomes the server. It takes the variables of the published image.
 */
const SCRIPT = `#!/bin/sh
set -eu
as_server() { setpriv --reuid ${SERVER_USER} --regid ${SERVER_USER} --clear-groups "$@"; }
if [ ! -e ${DATA}/PG_VERSION ]; then
  mkdir -p ${DATA}
  chown ${SERVER_USER}:${SERVER_USER} ${DATA}
  echo "$POSTGRES_PASSWORD" >/tmp/password
  as_server initdb --pgdata ${DATA} --username "$POSTGRES_USER" --pwfile /tmp/password --auth-local trust --auth-host scram-sha-256 --locale C --encoding UTF8
  echo 'host all all all scram-sha-256' >>${DATA}/pg_hba.conf
  echo "CREATE DATABASE $POSTGRES_DB" | as_server postgres --single -D ${DATA} postgres
fi
exec setpriv --reuid ${SERVER_USER} --regid ${SERVER_USER} --clear-groups postgres -D ${DATA} -c 'listen_addresses=*' -k /tmp
`

/**
 * Makes an image with a name such as `postgres:17` in the container engine at `address`, from this machine's PostgreSQL, without a
 * registry. It takes the variables `POSTGRES_USER`, `POSTGRES_PASSWORD` and `POSTGRES_DB` and keeps its data where the published image
 * does. Returns false when this machine has no PostgreSQL server.
 */
export function importPostgresImage(address: string, name: string): boolean {
  const [programs] = globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed()
  if (programs === undefined) return false
  using folder = scratchFolder()
  const version = dirname(programs).replace(/^.*\//, '')
  const postgres = ['initdb', 'postgres', 'pg_isready'].map((program) => join(programs, program))
  const found = tools.map((tool) => programNamed(tool) ?? '')
  const shared = globSync(join(dirname(programs), 'lib', '*.so')).filter((path) => !path.includes('llvmjit'))
  const at = (path: string): string => join(folder.path, path)
  for (const path of ['bin', 'lib64', 'tmp', 'etc', 'var/lib/postgresql']) mkdirSync(at(path), { recursive: true })
  chmodSync(at('tmp'), 0o1777)
  for (const path of librariesOf([...postgres, ...found, ...shared])) copy(path, at(path))
  for (const [index, tool] of tools.entries()) copy(found[index] ?? '', at(`bin/${tool}`))
  for (const path of postgres) copy(path, at(path))
  for (const path of [join(dirname(programs), 'lib'), `/usr/share/postgresql/${version}`, '/usr/share/zoneinfo'])
    cpSync(path, at(path), { recursive: true, dereference: true })
  writeFileSync(at('etc/passwd'), `root:x:0:0::/root:/bin/sh\npostgres:x:${SERVER_USER}:${SERVER_USER}::/var/lib/postgresql:/bin/sh\n`)
  writeFileSync(at('etc/group'), `root:x:0:\npostgres:x:${SERVER_USER}:\n`)
  writeFileSync(at('start'), SCRIPT, { mode: 0o755 })
  const archive = execFileSync('tar', ['--create', '--numeric-owner', '--owner=0', '--group=0', '--directory', folder.path, '.'], {
    maxBuffer: 2 ** 30,
  })
  const changes = [`ENV PATH=${programs}:/bin`, 'ENTRYPOINT ["/start"]'].flatMap((change) => ['--change', change])
  const env = { PATH: process.env['PATH'], DOCKER_HOST: address, HOME: '/nonexistent' }
  const { status, stderr } = spawnSync('docker', ['import', ...changes, '-', name], { env, input: archive, encoding: 'utf8' })
  if (status !== 0) throw new Error(`Cannot import the image of PostgreSQL: ${stderr}`)
  return true
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(realpathSync(from), to)
}

/**
 * Returns the set of the paths of all shared libraries that these program and library files need at run time, and of their loader, by
 * ldd(1).
 */
function librariesOf(files: readonly string[]): ReadonlySet<string> {
  const listed = files.map((path) => execFileSync('ldd', [path], { encoding: 'utf8' }))
  return new Set(listed.flatMap((text) => [...text.matchAll(/(?:=> |^\s+)(\/\S+) \(0x/gm)].map(([, path = '']) => path)))
}
