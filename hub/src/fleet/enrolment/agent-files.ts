import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import type { Log } from '../../platform/log.ts'

/** A built agent that machines may fetch: of this hub's version, and just as its build left it. */
export type AgentFile = {
  /** What it runs on: `linux-x86_64`, as `uname -sm` says it, or `node`. */
  readonly platform: string
  /** Below `/agent/`: `linux-x86_64/vedette-agent`. */
  readonly address: string
  readonly bytes: number
  /** 64 hexadecimal digits. */
  readonly sha256: string
  /** Licence notices of what is in it: a file beside it. */
  readonly licensesPath: string
  /** Where it lies, and the {@link identityOf} the file, by which one that has been replaced since is told. */
  readonly path: string
  readonly identity: string
}

/** What agents' machines can be handed. */
export type AgentFiles = {
  /** The agents there are now; looked at anew each time, since one may be built while the hub runs. */
  readonly list: () => Promise<readonly AgentFile[]>
  /** Name of the image that containers of the agent are made of. */
  readonly image: string
}

type AgentFilesOptions = {
  /** The agent's folder (`agent` of the repository). */
  readonly root: string
  readonly image: string
  readonly log: Log
}

/** Where the builds put them, and what makes them. */
const places = [
  { platform: 'linux-x86_64', address: 'linux-x86_64/vedette-agent', file: 'native/dist/vedette-agent-linux-x64' },
  { platform: 'linux-aarch64', address: 'linux-aarch64/vedette-agent', file: 'native/dist/vedette-agent-linux-arm64' },
  { platform: 'node', address: 'node/vedette-agent.mjs', file: 'dist/vedette-agent.mjs' },
] as const
type FilePlace = (typeof places)[number]

/** How an agent is built for machines with nothing on them, and for those with Node.js. */
export const BUILD_COMMANDS = '"npm run build:agent:native" or "npm run build:agent"'

/** Larger ones are none of ours. */
const MOST_BYTES = 256 * 1024 * 1024
/** A checksum or a version, with the name beside it. */
const MOST_NOTE_BYTES = 1024
const MOST_LICENSES_BYTES = 4 * 1024 * 1024

/** What is there but cannot be handed out is logged, once. */
export function agentFilesIn({ root, image, log }: AgentFilesOptions): AgentFiles {
  const examined = new Map<FilePlace, { readonly state: string; readonly file: Promise<AgentFile | undefined> }>()

  async function look(place: FilePlace): Promise<AgentFile | undefined> {
    const path = join(root, place.file)
    // A build writes the file first and what is beside it last.
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

/** Throws one sentence when the file is not what its build says beside it. */
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

/** Licence notices as text; undefined when there are none beside that agent. */
export const readLicenses = async ({ licensesPath }: AgentFile): Promise<string | undefined> =>
  (await identityAt(licensesPath)) === '' ? undefined : readSmallText(licensesPath, MOST_LICENSES_BYTES)

async function readSmallText(path: string, mostBytes: number): Promise<string> {
  const { size } = await stat(path)
  if (size > mostBytes) throw new Error(`Cannot read "${path}": it has ${size} bytes, expected at most ${mostBytes}`)
  return readFile(path, 'utf8')
}

/** Changes with everything that a build writes. */
export const identityOf = ({ ino, size, mtimeMs }: { readonly ino: number; readonly size: number; readonly mtimeMs: number }): string =>
  `${ino} ${size} ${mtimeMs}`

/** Empty when there is no file. */
async function identityAt(path: string): Promise<string> {
  try {
    return identityOf(await stat(path))
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return ''
    throw error
  }
}
