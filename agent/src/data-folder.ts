import type { Runtime } from './runtime.ts'

export type DataFolder = { readonly ok: true; readonly path: string | undefined } | { readonly ok: false; readonly problem: string }

/** Folders of agents that ran on this machine before come along, so that it stays the same system for its hub. */
const known = ['/var/lib/vedette-agent', '/var/lib/beszel-agent']
const knownAtHome = ['.config/vedette-agent', '.config/beszel']

/**
 * Where the agent keeps its files. The configured folder must be usable; without one, the first that exists and can be
 * written, else the first that can be made. None at all is `undefined`: the agent then runs without keeping anything.
 */
export function findDataFolder(runtime: Runtime, configured: string | undefined): DataFolder {
  if (configured !== undefined) {
    const problem = probe(runtime, configured)
    return problem === null
      ? { ok: true, path: configured }
      : { ok: false, problem: `DATA_DIR: Cannot write to "${configured}": ${problem}` }
  }
  const home = runtime.env('HOME')
  const candidates = [...known, ...(home === null || home === '' ? [] : knownAtHome.map((name) => `${home}/${name}`))]
  const existing = candidates.filter((path) => runtime.stat(path)?.kind === 'folder')
  const usable = [...existing, ...candidates.filter((path) => !path.includes('beszel'))].find((path) => probe(runtime, path) === null)
  return { ok: true, path: usable }
}

function probe(runtime: Runtime, folder: string): string | null {
  const file = `${folder}/.write-test`
  return runtime.writeFile(file, new Uint8Array(), 0o600) ?? runtime.remove(file)
}
