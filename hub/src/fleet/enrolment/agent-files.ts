import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import type { Log } from '../../platform/log.ts'
import type { FoundFile, ProgramFiles } from '../../platform/process/program-files.ts'

/**
 * One agent program that this hub offers for download: platform, download path, size and SHA-256. Its version equals the hub's, and the
 * checksum was verified.
 */
export type AgentFile = {
  /**
   * Platform of the agent program: `linux-x86_64` or `linux-aarch64` (from `uname -sm`), or `node` for the JavaScript bundle that runs in
   * Node.
   */
  readonly platform: string
  /** URL path of the agent program below `/agent/`, such as `linux-x86_64/vedette-agent`. */
  readonly address: string
  readonly bytes: number
  /** SHA-256 checksum of the agent program, as 64 hexadecimal digits. */
  readonly sha256: string
  /**
   * Path of the file with the licence notices of this agent program's dependencies, below the folder `agent` of the repository:
   * `licenses.txt` beside the program.
   */
  readonly licensesName: string
  /** Path of the built agent program below the folder `agent` of the repository, from which it is read. Its download path is `address`. */
  readonly name: string
  readonly identity: string
}

/**
 * Service for the agent programs that this hub offers for download: `list` returns them with version and checksum, `stream` their bytes,
 * `licensesOf` their licence notices.
 */
export type AgentFiles = {
  /**
   * Resolves to the agent programs whose files exist and pass their checks now. Each call checks the files again, because a build may
   * finish while the hub runs.
   */
  readonly list: () => Promise<readonly AgentFile[]>
  /**
   * Resolves to a stream of bytes `first` to `last` of an agent program, both inclusive and counted from 0. Resolves to `undefined` when a
   * newer build has replaced the file since it was listed.
   */
  readonly stream: (file: AgentFile, range: { first: number; last: number }) => Promise<ReadableStream<Uint8Array> | undefined>
  /** Resolves to the text of the licence notices of an agent program's dependencies; `undefined` when it has no such file. */
  readonly licensesOf: (file: AgentFile) => Promise<string | undefined>
  /**
   * Name of the agent's container image, such as `registry.example.org/vedette-agent`. The response of `GET /agent/` has it, for the
   * dashboard.
   */
  readonly image: string
  /**
   * True if the dashboard marks systems whose agents are older than the offered ones (operator's option). The response of `GET /agent/` has
   * it.
   */
  readonly hasUpdateHint: boolean
}

type AgentFilesOptions = {
  /** Access to the files of the built agent programs, by default those in the folder `agent` of the repository. */
  readonly files: ProgramFiles
  readonly image: string
  readonly hasUpdateHint: boolean
  readonly log: Log
}

/**
 * List of the agent programs that can be offered for download: platform (such as `linux-x86_64`), download path below `/agent/`, and path
 * of the built file below the folder `agent` of the repository.
 */
const places = [
  { platform: 'linux-x86_64', address: 'linux-x86_64/vedette-agent', file: 'native/dist/vedette-agent-linux-x64' },
  { platform: 'linux-aarch64', address: 'linux-aarch64/vedette-agent', file: 'native/dist/vedette-agent-linux-arm64' },
  { platform: 'node', address: 'node/vedette-agent.mjs', file: 'dist/vedette-agent.mjs' },
] as const
type FilePlace = (typeof places)[number]

/** Names of the npm commands that build the native agent and the Node.js agent, for error messages. */
export const BUILD_COMMANDS = '"npm run build:agent:native" or "npm run build:agent"'

/** Maximum size of an agent program in bytes: 256 MiB. Larger files are not offered. */
const MOST_BYTES = 256 * 1024 * 1024
/**
 * Maximum size of an agent program's checksum file or version file, in bytes (1 KiB). With a larger one, the program is not offered for
 * download.
 */
const MOST_NOTE_BYTES = 1024
const MOST_LICENSES_BYTES = 4 * 1024 * 1024

/**
 * Creates the service for the agent programs that exist in `files` as built files. It logs a warning for a program that fails its checks,
 * and leaves it out.
 */
export function agentFilesIn({ files, image, hasUpdateHint, log }: AgentFilesOptions): AgentFiles {
  const examined = new Map<FilePlace, { readonly state: string; readonly file: Promise<AgentFile | undefined> }>()

  async function look(place: FilePlace): Promise<AgentFile | undefined> {
    // A build writes the program first, then its version and checksum.
    const [program, ...beside] = await Promise.all(['', '.version', '.sha256'].map((end) => files.find(place.file + end)))
    if (program === undefined) return undefined
    const state = [program, ...beside].map((file) => file?.identity ?? '').join(', ')
    const known = examined.get(place)
    if (known?.state === state) return known.file
    const file = examine(files, place, program).catch((error: unknown) => {
      log.warn('agent download not available', { reason: error instanceof Error ? error.message : String(error) })
      return undefined
    })
    examined.set(place, { state, file })
    return file
  }

  return {
    image,
    hasUpdateHint,
    list: async () => (await Promise.all(places.map(look))).filter((file) => file !== undefined),
    stream: ({ name, identity }, range) => files.stream(name, identity, range),
    licensesOf: async ({ licensesName }) =>
      (await files.find(licensesName)) === undefined ? undefined : readText(files, licensesName, MOST_LICENSES_BYTES),
  }
}

/**
 * Checks that an agent program's version equals the hub's, its size is at most 256 MiB, and its SHA-256 matches the checksum file. Resolves
 * to the program's entry for the list of downloads. Rejects with an Error whose message is one sentence.
 */
async function examine(files: ProgramFiles, { platform, address, file: name }: FilePlace, found: FoundFile): Promise<AgentFile> {
  const { bytes, identity } = found
  const quoted = `"${posix.join(files.place, name)}"`
  if (bytes > MOST_BYTES) throw new Error(`Cannot hand out ${quoted}: it has ${bytes} bytes, expected at most ${MOST_BYTES}`)
  const [version = ''] = (await readNote(files, `${name}.version`)).split(' ')
  if (version !== VEDETTE_VERSION) throw new Error(`Cannot hand out ${quoted}: it is of version ${version}, expected ${VEDETTE_VERSION}`)
  const [expected] = (await readNote(files, `${name}.sha256`)).split(' ')
  const hash = createHash('sha256')
  const content = await files.stream(name, identity, { first: 0, last: bytes - 1 })
  if (content === undefined) throw new Error(`Cannot hand out ${quoted}: it is being rebuilt`)
  for await (const chunk of content) hash.update(chunk)
  const sha256 = hash.digest('hex')
  if (sha256 !== expected) throw new Error(`Cannot hand out ${quoted}: its checksum is ${sha256}, and not the one beside it`)
  return { platform, address, bytes, sha256, licensesName: posix.join(posix.dirname(name), 'licenses.txt'), name, identity }
}

const readNote = async (files: ProgramFiles, name: string): Promise<string> => (await readText(files, name, MOST_NOTE_BYTES)).trim()

/**
 * Resolves to the text of a small file of the built agents, such as a checksum file, by its relative name. Rejects with an Error, one
 * sentence, if it is missing or larger than `mostBytes` (bytes).
 */
async function readText(files: ProgramFiles, name: string, mostBytes: number): Promise<string> {
  const found = await files.find(name)
  const quoted = `"${posix.join(files.place, name)}"`
  if (found === undefined) throw new Error(`Cannot read ${quoted}: it does not exist`)
  if (found.bytes > mostBytes) throw new Error(`Cannot read ${quoted}: it has ${found.bytes} bytes, expected at most ${mostBytes}`)
  return new TextDecoder().decode(await files.read(name))
}
