import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import type { Log } from '../../platform/log.ts'

/**
 * Entry of the download list: one agent program that this hub offers. Its version equals the hub's, and its SHA-256 checksum was verified.
 */
export type AgentFile = {
  /** Platform of the agent program: `linux-x86_64` (from `uname -sm`), `linux-aarch64` or `node`. */
  readonly platform: string
  /** URL path of the agent program below `/agent/`, such as `linux-x86_64/vedette-agent`. */
  readonly address: string
  readonly bytes: number
  /** SHA-256 checksum of the agent program, as 64 hexadecimal digits. */
  readonly sha256: string
  /** Path, on the hub, of the file with the licence notices of the agent's dependencies. */
  readonly licensesPath: string
  /**
   * Path of the agent program's file on the hub. `identity` is a text of inode, size and modification time, which changes with every new
   * build.
   */
  readonly path: string
  readonly identity: string
}

/** Service that lists the agent programs that this hub offers for download. */
export type AgentFiles = {
  /** Resolves to the agent programs that exist now. Each call checks the files again, because a build may finish while the hub runs. */
  readonly list: () => Promise<readonly AgentFile[]>
  /** Name of the agent's container image, as the index of the downloads reports it. */
  readonly image: string
}

type AgentFilesOptions = {
  /** Path of the folder that contains the built agent programs: `agent` in the repository. */
  readonly root: string
  readonly image: string
  readonly log: Log
}

/**
 * List of the agent programs that can be offered, each with platform, download path below `/agent/`, and path of the built file below the
 * agent's folder.
 */
const places = [
  { platform: 'linux-x86_64', address: 'linux-x86_64/vedette-agent', file: 'native/dist/vedette-agent-linux-x64' },
  { platform: 'linux-aarch64', address: 'linux-aarch64/vedette-agent', file: 'native/dist/vedette-agent-linux-arm64' },
  { platform: 'node', address: 'node/vedette-agent.mjs', file: 'dist/vedette-agent.mjs' },
] as const
type FilePlace = (typeof places)[number]

/** Text for error messages: the commands that build the native agent or the Node.js agent. */
export const BUILD_COMMANDS = '"npm run build:agent:native" or "npm run build:agent"'

/** Maximum size of an agent program: 256 MiB, in bytes. Larger files are refused. */
const MOST_BYTES = 256 * 1024 * 1024
/** Maximum size of a checksum file or version file: 1024 bytes. */
const MOST_NOTE_BYTES = 1024
const MOST_LICENSES_BYTES = 4 * 1024 * 1024

/**
 * Creates the service that lists the built agent programs below `root`. It logs a warning for a program that exists but fails its checks,
 * and leaves it out.
 */
export function agentFilesIn({ root, image, log }: AgentFilesOptions): AgentFiles {
  const examined = new Map<FilePlace, { readonly state: string; readonly file: Promise<AgentFile | undefined> }>()

  async function look(place: FilePlace): Promise<AgentFile | undefined> {
    const path = join(root, place.file)
    // A build writes the program first, then its version and checksum.
    const [identity = '', ...beside] = await Promise.all([path, `${path}.version`, `${path}.sha256`].map(identityAt))
    if (identity === '') return undefined
    const state = [identity, ...beside].join(', ')
    const known = examined.get(place)
    if (known?.state === state) return known.file
    const file = examine(place, path, identity).catch((error: unknown) => {
      log.warn('agent download not available', { reason: error instanceof Error ? error.message : String(error) })
      return undefined
    })
    examined.set(place, { state, file })
    return file
  }

  return { image, list: async () => (await Promise.all(places.map(look))).filter((file) => file !== undefined) }
}

/**
 * Checks that an agent program's version equals the hub's, its size is at most 256 MiB, and its SHA-256 matches the checksum file. Returns
 * the entry for the list of downloads. Throws an Error of one sentence when a check fails.
 */
async function examine({ platform, address }: FilePlace, path: string, identity: string): Promise<AgentFile> {
  const { size: bytes } = await stat(path)
  if (bytes > MOST_BYTES) throw new Error(`Cannot hand out "${path}": it has ${bytes} bytes, expected at most ${MOST_BYTES}`)
  const [version = ''] = (await readNote(`${path}.version`)).split(' ')
  if (version !== VEDETTE_VERSION) throw new Error(`Cannot hand out "${path}": it is of version ${version}, expected ${VEDETTE_VERSION}`)
  const [expected] = (await readNote(`${path}.sha256`)).split(' ')
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  const sha256 = hash.digest('hex')
  if (sha256 !== expected) throw new Error(`Cannot hand out "${path}": its checksum is ${sha256}, and not the one beside it`)
  return { platform, address, bytes, sha256, licensesPath: join(dirname(path), 'licenses.txt'), path, identity }
}

const readNote = async (path: string): Promise<string> => (await readSmallText(path, MOST_NOTE_BYTES)).trim()

/** Resolves to the text of the licence notices of an agent program. `undefined` when it has no such file. */
export const readLicenses = async ({ licensesPath }: AgentFile): Promise<string | undefined> =>
  (await identityAt(licensesPath)) === '' ? undefined : readSmallText(licensesPath, MOST_LICENSES_BYTES)

async function readSmallText(path: string, mostBytes: number): Promise<string> {
  const { size } = await stat(path)
  if (size > mostBytes) throw new Error(`Cannot read "${path}": it has ${size} bytes, expected at most ${mostBytes}`)
  return readFile(path, 'utf8')
}

/** Returns a text of a file's inode, size and modification time. It identifies the file's content: a new build always changes it. */
export const identityOf = ({ ino, size, mtimeMs }: { readonly ino: number; readonly size: number; readonly mtimeMs: number }): string =>
  `${ino} ${size} ${mtimeMs}`

/**
 * Resolves to a text that identifies the content of the file at a path (inode, size, modification time). Empty string when the file does
 * not exist.
 */
async function identityAt(path: string): Promise<string> {
  try {
    return identityOf(await stat(path))
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return ''
    throw error
  }
}
