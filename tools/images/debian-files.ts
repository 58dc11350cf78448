import { execFileSync } from 'node:child_process'
import {
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { root } from '../rules/source-tree.ts'
import type { TarEntry } from './tar-archive.ts'

/** Name of the Debian release, `trixie`, from which the files in the hub's container image come. */
const RELEASE = 'trixie'

/**
 * Major version, 17, of the PostgreSQL client programs in the hub's container image. They can back up servers of this version and older
 * ones.
 */
const POSTGRES = 17

/**
 * List of the Debian packages for the hub's container image: the C libraries that Node.js needs, and the PostgreSQL client programs with
 * their libraries.
 */
const packages: readonly string[] = `
  libc6 libgcc-s1 libstdc++6 libatomic1
  postgresql-client-${POSTGRES} libpq5 libssl3t64 zlib1g liblz4-1 libzstd1 libxxhash0 libreadline8t64 libtinfo6
  libgssapi-krb5-2 libkrb5-3 libkrb5support0 libk5crypto3 libcom-err2 libkeyutils1 libldap2 libsasl2-2
`
  .trim()
  .split(/\s+/)

const postgresPrograms = ['pg_dump', 'pg_restore', 'psql']

const triplets = { amd64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' } as const
const loaders = { amd64: 'lib64/ld-linux-x86-64.so.2', arm64: 'lib/ld-linux-aarch64.so.1' } as const

type Architecture = keyof typeof triplets

/**
 * Unpacks the Debian packages of the hub's container image for an architecture and returns the path of the folder. It is cached below
 * `node_modules/.cache`; `isFresh` downloads the newest packages again. Throws when apt-get cannot download them.
 */
export function unpackDebianFiles(architecture: Architecture, isFresh = false): string {
  const caches = join(root, 'node_modules', '.cache')
  // Tests never use the folder of a release, which is replaced.
  const folder = join(caches, `debian-${RELEASE}-${architecture}${isFresh ? '-release' : ''}`)
  if (!isFresh && isUnpacked(folder)) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(caches, { recursive: true })
  // A folder of its own: another build may run at the same time.
  const cache = mkdtempSync(join(caches, 'debian-'))
  try {
    renameUnlessThere(download(architecture, cache), folder)
  } finally {
    rmSync(cache, { recursive: true })
  }
  return folder
}

/**
 * Renames the folder `from` to its final path `to` in the cache. If another build has created `to` meanwhile, that one stays, because other
 * processes may be reading it.
 */
function renameUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!isUnpacked(to)) throw error
  }
}

/**
 * Returns true when the cached folder has the files of exactly the Debian packages that the hub's image needs, by the list in the folder's
 * file `.packages`.
 */
function isUnpacked(folder: string): boolean {
  const stamp = join(folder, '.packages')
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === packages.join(' ')
}

/**
 * Downloads the Debian packages for an architecture with apt-get and unpacks them below `cache`, an empty folder. Returns the path of the
 * folder with their files.
 */
function download(architecture: Architecture, cache: string): string {
  for (const name of ['state/lists/partial', 'cache/archives/partial', 'debs', 'new']) mkdirSync(join(cache, name), { recursive: true })
  const keys = 'signed-by=/usr/share/keyrings/debian-archive-keyring.gpg'
  const sources = ownMirrors().map(({ address, isSecurity }) => `deb [${keys}] ${address} ${RELEASE}${isSecurity ? '-security' : ''} main`)
  writeFileSync(join(cache, 'sources.list'), `${sources.join('\n')}\n`)
  // A private state: the machine's own packages and sources stay as they are.
  const settings = [
    `APT::Architecture=${architecture}`,
    `APT::Architectures::=${architecture}`,
    `Dir::State=${join(cache, 'state')}`,
    'Dir::State::status=/dev/null',
    `Dir::Cache=${join(cache, 'cache')}`,
    `Dir::Etc::sourcelist=${join(cache, 'sources.list')}`,
    'Dir::Etc::sourceparts=-',
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false',
    'Acquire::Languages=none',
    'APT::Sandbox::User=root',
  ].flatMap((setting) => ['-o', setting])
  const apt = (...args: readonly string[]) =>
    execFileSync('apt-get', [...settings, '--quiet=2', ...args], { cwd: join(cache, 'debs'), stdio: ['ignore', 'ignore', 'inherit'] })
  apt('update', '--error-on=any')
  apt('download', ...packages)
  const files = join(cache, 'new')
  const archives = globSync('debs/*.deb', { cwd: cache }).toSorted()
  const versions = archives.map((path) => {
    execFileSync('dpkg-deb', ['-x', join(cache, path), files])
    return execFileSync('dpkg-deb', ['-W', '--showformat', '${Package} ${Version}\n', join(cache, path)], { encoding: 'utf8' })
  })
  writeFileSync(join(files, 'versions.txt'), versions.join(''))
  writeFileSync(join(files, '.packages'), packages.join(' '))
  return files
}

/**
 * Returns the URLs of the Debian mirrors that apt-get uses on this machine, each with `isSecurity`, true for the mirror of security
 * updates. Throws when it has none, as on other distributions.
 */
function ownMirrors(): readonly { readonly address: string; readonly isSecurity: boolean }[] {
  const format = '$(REPO_URI) $(SUITE)'
  const listed = execFileSync('apt-get', ['indextargets', '--format', format, 'Created-By: Packages', 'Origin: Debian'], {
    encoding: 'utf8',
  })
  const mirrors = new Map(
    listed
      .trim()
      .split('\n')
      .map((line) => line.split(' ') as [string, string]),
  ) // the format
  if (mirrors.has('')) throw new Error('Cannot download the packages of the image: apt-get has no Debian mirror; run "apt-get update"')
  return [...mirrors].map(([address, suite]) => ({ address, isSecurity: suite.endsWith('-security') }))
}

/**
 * Returns the tar entries of the hub's container image that come from Debian: loader, PostgreSQL programs, and shared libraries that these
 * and `program` need. Licences and the list of the packages' versions are included. `folder` has the unpacked packages. Throws when a
 * library is missing.
 */
export function debianEntries(folder: string, architecture: Architecture, program: string): readonly TarEntry[] {
  const triplet = triplets[architecture]
  const programs = postgresPrograms.map((name) => join(folder, 'usr', 'lib', 'postgresql', `${POSTGRES}`, 'bin', name))
  const libraries = librariesOf([program, ...programs], join(folder, 'usr', 'lib', triplet))
  const file = (path: string, source: string, mode = 0o644): TarEntry => ({ path, kind: 'file', mode, content: readFileSync(source) })
  const licences = globSync('usr/share/doc/*/copyright', { cwd: folder })
  const target = `usr/lib/${triplet}`
  const loader = loaders[architecture]
  return [
    ...programs.map((path) => file(`usr/bin/${path.replace(/^.*\//, '')}`, path, 0o755)),
    ...libraries.map(({ name, path }) => file(`${target}/${name}`, path, 0o755)),
    { path: `usr/${loader}`, kind: 'link', to: relative(dirname(`usr/${loader}`), `${target}/${loader.replace(/^.*\//, '')}`) },
    // Some packages share one text.
    ...licences.flatMap((path) => (lstatSync(join(folder, path)).isFile() ? [file(path, join(folder, path))] : [])),
    file('usr/share/doc/vedette/debian-packages.txt', join(folder, 'versions.txt')),
  ]
}

/**
 * Returns name and path of all shared libraries, in `folder`, that the programs need directly or through another library, by their ELF
 * dynamic sections, elf(5). Throws when a library is missing.
 */
function librariesOf(programs: readonly string[], folder: string): readonly { readonly name: string; readonly path: string }[] {
  const found = new Map<string, string>()
  const queue = [...programs]
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const dynamic = execFileSync('readelf', ['--dynamic', '--wide', path], { encoding: 'utf8' })
    for (const [, name = ''] of dynamic.matchAll(/\(NEEDED\).*\[(.*)\]/g)) {
      if (found.has(name)) continue
      const library = resolveLink(join(folder, name))
      found.set(name, library)
      queue.push(library)
    }
  }
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, path]) => ({ name, path }))
}

/** Returns the path of the file to which a library's path leads, after following symbolic links. Throws when that file does not exist. */
function resolveLink(path: string): string {
  return lstatSync(path).isSymbolicLink() ? resolveLink(join(dirname(path), readlinkSync(path))) : path
}
