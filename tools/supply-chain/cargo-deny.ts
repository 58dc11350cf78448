import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { crate } from '../cargo.ts'
import { run } from '../run.ts'

/** Built by cargo from the lock file that the crate brings; kept for the next time. */
const VERSION = '0.20.2'
const folder = join(homedir(), '.cache', 'vedette', `cargo-deny-${VERSION}`)
const program = join(folder, 'bin', 'cargo-deny')

export const hasCargo = (): boolean => spawnSync('cargo', ['--version']).status === 0

/** Whether cargo-deny is there, or could be built. Takes some minutes the first time. */
export async function ensureCargoDeny(): Promise<boolean> {
  if (existsSync(program)) return true
  console.log(`Building cargo-deny ${VERSION}, once; it takes some minutes`)
  const args = ['install', 'cargo-deny', '--version', `=${VERSION}`, '--locked', '--no-default-features', '--quiet', '--root', folder]
  return (await run('cargo', args)) === 0
}

/** `cargo deny check` of the native agent's crates by `agent/native/deny.toml`; the exit status. */
export const cargoDeny = (...what: readonly string[]): Promise<number> =>
  run(program, ['--locked', 'check', '--hide-inclusion-graph', ...what], { cwd: crate })

/** Whether the list of known vulnerabilities could be fetched. */
export const fetchAdvisories = async (): Promise<boolean> => (await run(program, ['--locked', 'fetch', 'db'], { cwd: crate })) === 0
