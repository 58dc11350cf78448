import type { Loop } from '../runtime/deadline.ts'
import type { Runtime } from '../runtime/runtime.ts'

/** In memory, so that no disk is woken; a data folder stands in where there is no such place, or it is another user's. */
export const HEALTH_FOLDER = '/dev/shm'
/** Its name in a data folder. */
export const HEALTH_FILE = 'vedette-agent-health'
/** Bytes of the hash in the file name, which distinguishes several agents of one machine. */
const HASH_BYTES = 8

/** Paths of the health file of the agent with this data folder, in order of preference. */
function placesOf(runtime: Pick<Runtime, 'bytes'>, dataFolder: string | undefined): readonly string[] {
  const hash = runtime.bytes.sha256(runtime.bytes.utf8(dataFolder ?? '')).subarray(0, HASH_BYTES)
  const digits = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const inMemory = `${HEALTH_FOLDER}/${HEALTH_FILE}-${digits}`
  return dataFolder === undefined ? [inMemory] : [inMemory, `${dataFolder}/${HEALTH_FILE}`]
}

const WRITTEN_EVERY_MS = 60_000
/** One that is half a minute late still lives. */
const FRESH_MS = 91_000

export type Health = { readonly stop: () => void }

/** Says that the agent is at work for as long as it is, whether or not a hub talks to it: the file's age is the message. */
export function startHealth(runtime: Runtime, loop: Loop, dataFolder: string | undefined): Health {
  const places = placesOf(runtime, dataFolder)
  let written: string | undefined
  const write = (): void => {
    const text = runtime.bytes.utf8(`${runtime.info().pid}\n`)
    written = places.find((path) => runtime.writeFile(path, text, 0o644) === null)
    cancel = loop.after(WRITTEN_EVERY_MS, write)
  }
  let cancel: () => void = () => undefined
  write()
  return {
    stop: () => {
      cancel()
      if (written !== undefined) runtime.remove(written)
    },
  }
}

/** Whether an agent with one of these data folders, or without one, is running. Called from another process; only reads. */
export function isHealthy(runtime: Runtime, dataFolders: readonly string[]): boolean {
  const nowMs = runtime.clock().wallMs
  return [undefined, ...dataFolders]
    .flatMap((folder) => placesOf(runtime, folder))
    .some((path) => {
      const facts = runtime.stat(path)
      // A clock that was set back makes the file younger than now.
      return facts !== null && Math.abs(nowMs - facts.modifiedMs) <= FRESH_MS
    })
}
