import { identityProblem } from './identity-files.ts'
import type { Runtime } from '../runtime/runtime.ts'

export type DataFolder = { readonly ok: true; readonly path: string | undefined } | { readonly ok: false; readonly problem: string }

/** Folders of agents that ran on this machine before come along, so that it stays the same system for its hub. */
const known = ['/var/lib/vedette-agent', '/var/lib/beszel-agent']
const knownAtHome = ['.config/vedette-agent', '.config/beszel']

/**
 * Where the agent keeps its files. The configured folder must be usable; without one, the first that exists and can be
 * written, else the first that can be made. None at all is `undefined`: the agent then runs without keeping anything. One whose files
 * cannot be read is refused: its hubs would no longer recognise the agent.
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

/** Where the agent's files may be. */
export function candidateFolders(runtime: Runtime, configured: string | undefined): readonly string[] {
  if (configured !== undefined) return [configured]
  const home = runtime.env('HOME')
  return [...known, ...(home === null || home === '' ? [] : knownAtHome.map((name) => `${home}/${name}`))]
}

function withIdentity(runtime: Runtime, path: string): DataFolder {
  const problem = identityProblem(runtime, path)
  return problem === undefined ? { ok: true, path } : { ok: false, problem }
}

function probe(runtime: Runtime, folder: string): string | null {
  const file = `${folder}/.write-test`
  return runtime.writeFile(file, new Uint8Array(), 0o600) ?? runtime.remove(file)
}
