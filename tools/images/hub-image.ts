import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { VEDETTE_VERSION } from '../../protocol/src/wire/version.ts'
import { releaseSeconds } from '../package-staging.ts'
import { root } from '../rules/source-tree.ts'
import { debianEntries, unpackDebianFiles } from './debian-files.ts'
import { imageArchive, type ImageArchive } from './image-archive.ts'
import type { TarEntry } from './tar-archive.ts'

/** Numeric id, 65532, of the user and group as which the programs in the hub's and the agent's container images run. */
const OWN_USER = 65_532

/**
 * Input for building a container image of the hub or agent: executable, licence notices, architecture (as Docker names it), and optional
 * settings.
 */
type ImageSource = {
  /** Path of the executable (of hub or agent) to put into the container image. */
  readonly program: string
  /** Text with the licence notices of everything in the executable, which is put into the container image. */
  readonly notices: string
  readonly architecture: 'amd64' | 'arm64'
  /**
   * True to download the newest Debian packages for the container image. False or absent: the packages that an earlier build has cached are
   * used.
   */
  readonly isFresh?: boolean
  /** Name (repository) of the container image; `vedette-monitor/vedette-hub` or `vedette-monitor/vedette-agent` when absent. */
  readonly name?: string
}

const SECOND = 1e9

const health = (command: readonly string[]) => ({
  Test: ['CMD', ...command],
  Interval: 30 * SECOND,
  Timeout: 10 * SECOND,
  StartPeriod: 60 * SECOND,
  StartInterval: 2 * SECOND,
})

const namesOf = (name: string): readonly string[] => [`${name}:${VEDETTE_VERSION}`, `${name}:latest`]

const labelsOf = (title: string, description: string): Readonly<Record<string, string>> => {
  const values = {
    title,
    description,
    version: VEDETTE_VERSION,
    revision: execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim(),
    licenses: 'MIT',
    source: 'https://github.com/vedette-monitor/vedette',
    created: new Date(releaseSeconds() * 1000).toISOString().replace('.000', ''),
  }
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [`org.opencontainers.image.${key}`, value]))
}

const text = (path: string, content: string): TarEntry => ({ path, kind: 'file', mode: 0o644, content: Buffer.from(content) })

/**
 * Builds the hub's container image and returns it as tar archive with its compressed size. It contains the single executable, the shared
 * libraries that it needs, and the PostgreSQL programs for backups.
 */
export function hubImage({ program, notices, architecture, isFresh, name = 'vedette-monitor/vedette-hub' }: ImageSource): ImageArchive {
  const debian = debianEntries(unpackDebianFiles(architecture, isFresh), architecture, program)
  const users = ['root:x:0:0:root:/root:/sbin/nologin', `vedette:x:${OWN_USER}:${OWN_USER}:Vedette:/data:/sbin/nologin`]
  const base: readonly TarEntry[] = [
    ...['lib', 'lib64', 'bin'].map((path): TarEntry => ({ path, kind: 'link', to: `usr/${path}` })),
    ...debian,
    text('etc/passwd', `${users.join('\n')}\n`),
    text('etc/group', `root:x:0:\nvedette:x:${OWN_USER}:\n`),
    text('etc/nsswitch.conf', 'passwd: files\ngroup: files\nhosts: files dns\n'),
    { path: 'tmp', kind: 'folder', mode: 0o1777 },
    ...['data', 'backups', 'enroll'].map((path): TarEntry => ({ path, kind: 'folder', mode: 0o700, user: OWN_USER })),
  ]
  const own: readonly TarEntry[] = [
    { path: 'usr/bin/vedette', kind: 'file', mode: 0o755, content: readFileSync(program) },
    text('usr/share/doc/vedette/copyright', readFileSync(join(root, 'LICENSE'), 'utf8')),
    text('usr/share/doc/vedette/third-party-licenses', notices),
  ]
  return imageArchive({
    names: namesOf(name),
    architecture,
    createdSeconds: releaseSeconds(),
    layers: [withFolders(base), withFolders(own)],
    labels: labelsOf('Vedette hub', 'Hub of Vedette, self-hosted server monitoring: metrics, history, alerts and dashboard'),
    settings: {
      Entrypoint: ['/usr/bin/vedette'],
      Cmd: ['hub'],
      Env: ['PATH=/usr/bin', 'VEDETTE_DATA=/data', 'VEDETTE_LISTEN=0.0.0.0:8090', `VEDETTE_RUN_AS=${OWN_USER}`],
      ExposedPorts: { '8090/tcp': {} },
      Volumes: { '/data': {} },
      Healthcheck: health(['/usr/bin/vedette', 'health']),
    },
  })
}

/**
 * Builds the agent's container image and returns it as tar archive with its compressed size. It contains the static native executable and
 * its licences.
 */
export function agentImage({ program, notices, architecture, name = 'vedette-monitor/vedette-agent' }: ImageSource): ImageArchive {
  const data = 'var/lib/vedette-agent'
  const files: readonly TarEntry[] = [
    { path: 'vedette-agent', kind: 'file', mode: 0o755, content: readFileSync(program) },
    text('licenses.txt', notices),
    { path: data, kind: 'folder', mode: 0o700, user: OWN_USER },
  ]
  return imageArchive({
    names: namesOf(name),
    architecture,
    createdSeconds: releaseSeconds(),
    layers: [withFolders(files)],
    labels: labelsOf('Vedette agent', 'Agent of Vedette, self-hosted server monitoring: reads the metrics of one machine'),
    settings: {
      Entrypoint: ['/vedette-agent'],
      // Started as root, the agent takes over its data folder, joins the group of the engine's socket and becomes this user.
      Env: [`DATA_DIR=/${data}`, `RUN_AS=${OWN_USER}`],
      Volumes: { [`/${data}`]: {} },
      Healthcheck: health(['/vedette-agent', 'health']),
    },
  })
}

/** Takes the tar entries of an image layer. Returns them sorted by path, with a new entry for each parent folder that has none. */
function withFolders(entries: readonly TarEntry[]): readonly TarEntry[] {
  const known = new Map(entries.map((entry) => [entry.path, entry]))
  for (const { path } of entries)
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder))
      if (!known.has(folder)) known.set(folder, { path: folder, kind: 'folder', mode: 0o755 })
  return [...known.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1))
}
