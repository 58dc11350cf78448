import { identityProblem } from './identity-files.ts'
import type { Runtime } from '../runtime/runtime.ts'

export type DataFolder = { readonly ok: true; readonly path: string | undefined } | { readonly ok: false; readonly problem: string }

/**
 * Paths of the default data folders of an agent that runs as a system service: its own, then that of a Beszel agent. If the latter is used
 * again, the hub takes the machine for the same system.
 */
const systemFolders = ['/var/lib/vedette-agent', '/var/lib/beszel-agent']
const homeFolders = ['.config/vedette-agent', '.config/beszel']

/**
 * Returns the path of the folder where the agent stores its files, or the problem (text) that prevents it. A configured folder must be
 * writable. Otherwise it is the first existing default folder that is writable, else the first of Vedette's own that can be created, else
 * `undefined`. A folder with unreadable identity files is refused, since hubs would no longer recognise the agent.
 */
export function findDataFolder(runtime: Runtime, configured: string | undefined): DataFolder {
  if (configured !== undefined) {
    const problem = probe(runtime, configured)
    return problem === null
      ? withIdentity(runtime, configured)
      : { ok: false, problem: `DATA_DIR: Cannot write to "${configured}": ${problem}` }
  }
  const candidates = candidateFolders(runtime, undefined)
  const existing = candidates.filter((path) => runtime.stat(path)?.kind === 'folder')
  const usable = [...existing, ...candidates.filter((path) => !path.includes('beszel'))].find((path) => probe(runtime, path) === null)
  return usable === undefined ? { ok: true, path: undefined } : withIdentity(runtime, usable)
}

/** Returns the list of paths of folders that may contain the agent's files: the configured one alone, else all default ones. */
export function candidateFolders(runtime: Runtime, configured: string | undefined): readonly string[] {
  if (configured !== undefined) return [configured]
  const home = runtime.env('HOME')
  return [...systemFolders, ...(home === null || home === '' ? [] : homeFolders.map((name) => `${home}/${name}`))]
}

function withIdentity(runtime: Runtime, path: string): DataFolder {
  const problem = identityProblem(runtime, path)
  return problem === undefined ? { ok: true, path } : { ok: false, problem }
}

function probe(runtime: Runtime, folder: string): string | null {
  const file = `${folder}/.write-test`
  return runtime.writeFile(file, new Uint8Array(), 0o600) ?? runtime.remove(file)
}
