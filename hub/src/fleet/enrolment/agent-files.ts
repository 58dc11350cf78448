import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import type { Log } from '../../platform/log.ts'

/** A built agent that machines may download. It has this hub's version and the checksum that its build wrote. */
export type AgentFile = {
  /** Platform: `linux-x86_64` (as `uname -sm` names it) or `node`. */
  readonly platform: string
  /** Path below `/agent/`, such as `linux-x86_64/vedette-agent`. */
  readonly address: string
  readonly bytes: number
  /** 64 hexadecimal digits. */
  readonly sha256: string
  /** Path of the file with the licence notices of the agent's dependencies. */
  readonly licensesPath: string
  /** Path of the file, and its {@link identityOf}. The identity shows whether the file has been replaced since. */
  readonly path: string
  readonly identity: string
}

/** Agents that this hub offers for download. */
export type AgentFiles = {
  /** The agents that exist now. The files are checked at each call, because a build may finish while the hub runs. */
  readonly list: () => Promise<readonly AgentFile[]>
  /** Name of the agent's container image. */
  readonly image: string
}

type AgentFilesOptions = {
  /** The agent's folder (`agent` of the repository). */
  readonly root: string
  readonly image: string
  readonly log: Log
}

/** The path of each agent's build result. */
const places = [
  { platform: 'linux-x86_64', address: 'linux-x86_64/vedette-agent', file: 'native/dist/vedette-agent-linux-x64' },
  { platform: 'linux-aarch64', address: 'linux-aarch64/vedette-agent', file: 'native/dist/vedette-agent-linux-arm64' },
  { platform: 'node', address: 'node/vedette-agent.mjs', file: 'dist/vedette-agent.mjs' },
] as const
type FilePlace = (typeof places)[number]

/** Build commands for machines without Node.js, and with it. */
export const BUILD_COMMANDS = '"npm run build:agent:native" or "npm run build:agent"'

/** Upper limit of an agent's size. A larger file is not one of our builds. */
const MOST_BYTES = 256 * 1024 * 1024
/** Upper limit of a checksum or version file. */
const MOST_NOTE_BYTES = 1024
const MOST_LICENSES_BYTES = 4 * 1024 * 1024

/** Finds the built agents. A file that exists but cannot be offered is logged once. */
export function agentFilesIn({ root, image, log }: AgentFilesOptions): AgentFiles {
  const examined = new Map<FilePlace, { readonly state: string; readonly file: Promise<AgentFile | undefined> }>()

  async function look(place: FilePlace): Promise<AgentFile | undefined> {
    const path = join(root, place.file)
    // A build writes the agent first, then its version and checksum.
    const [identity = '', ...beside] = await Promise.all([path, `${path}.version`, `${path}.sha256`].map(identityAt))
    if (identity === '') return undefined
    const state = [identity, ...beside].join(', ')
    const known = examined.get(place)
    if (known?.state === state) return known.file
    const file = examine(place, path, identity).catch((error: unknown) => {
      log.warn('an agent is not handed out', { reason: error instanceof Error ? error.message : String(error) })
      return undefined
    })
    examined.set(place, { state, file })
    return file
  }

  return { image, list: async () => (await Promise.all(places.map(look))).filter((file) => file !== undefined) }
}

/** Checks an agent against its version and checksum files. Throws an error of one sentence when they differ. */
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

/** Licence notices as text. `undefined` when the agent has no such file. */
export const readLicenses = async ({ licensesPath }: AgentFile): Promise<string | undefined> =>
  (await identityAt(licensesPath)) === '' ? undefined : readSmallText(licensesPath, MOST_LICENSES_BYTES)

async function readSmallText(path: string, mostBytes: number): Promise<string> {
  const { size } = await stat(path)
  if (size > mostBytes) throw new Error(`Cannot read "${path}": it has ${size} bytes, expected at most ${mostBytes}`)
  return readFile(path, 'utf8')
}

/** Identity of a file: inode, size and modification time. Every build changes it. */
export const identityOf = ({ ino, size, mtimeMs }: { readonly ino: number; readonly size: number; readonly mtimeMs: number }): string =>
  `${ino} ${size} ${mtimeMs}`

/** Empty when the file does not exist. */
async function identityAt(path: string): Promise<string> {
  try {
    return identityOf(await stat(path))
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return ''
    throw error
  }
}
