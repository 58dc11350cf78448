import type { Loop } from '../runtime/deadline.ts'
import type { Runtime } from '../runtime/runtime.ts'

/**
 * Path of the folder of the health file, `/dev/shm`, which is in memory, so that no disk wakes up. Where it is not writable, the data
 * folder is used. The health file shows `vedette-agent health` that the agent runs.
 */
export const HEALTH_FOLDER = '/dev/shm'
/** Name of the health file in a data folder. The agent writes it every minute, so a file older than 91 s means that no agent runs. */
export const HEALTH_FILE = 'vedette-agent-health'
/** Number of hash bytes, 8, in the name of the health file, which distinguishes several agents on one machine. */
const HASH_BYTES = 8

/**
 * Returns the list of possible paths of an agent's health file, in order of preference: in memory, then in the data folder if there is one.
 */
function placesOf(runtime: Pick<Runtime, 'bytes'>, dataFolder: string | undefined): readonly string[] {
  const hash = runtime.bytes.sha256(runtime.bytes.utf8(dataFolder ?? '')).subarray(0, HASH_BYTES)
  const digits = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const inMemory = `${HEALTH_FOLDER}/${HEALTH_FILE}-${digits}`
  return dataFolder === undefined ? [inMemory] : [inMemory, `${dataFolder}/${HEALTH_FILE}`]
}

const WRITTEN_EVERY_MS = 60_000
/**
 * Maximum age in ms, 91 s, of a running agent's health file: one writing interval and half a minute of delay. With an older file, the agent
 * counts as not running.
 */
const FRESH_MS = 91_000

export type Health = { readonly stop: () => void }

/**
 * Starts to write the health file every minute, which `vedette-agent health` checks. The file shows that the agent runs, whether or not a
 * hub is connected. Returns an object whose `stop` removes the file.
 */
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

/**
 * Returns true when an agent with one of these data folders, or without one, is running, by the age of its health file. Reads only; called
 * from another process.
 */
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
