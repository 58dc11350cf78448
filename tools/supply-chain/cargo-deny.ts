import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { crate } from '../cargo.ts'
import { run } from '../run.ts'

/** Version of the program cargo-deny with which the supply chain checks run. cargo builds it from source once; the result stays cached. */
const VERSION = '0.20.2'
const folder = join(homedir(), '.cache', 'vedette', `cargo-deny-${VERSION}`)
const program = join(folder, 'bin', 'cargo-deny')

export const hasCargo = (): boolean => spawnSync('cargo', ['--version']).status === 0

/** Resolves with true when cargo-deny is installed or could be built, else false. Building takes some minutes the first time. */
export async function ensureCargoDeny(): Promise<boolean> {
  if (existsSync(program)) return true
  console.log(`Building cargo-deny ${VERSION}, once; it takes some minutes`)
  const args = ['install', 'cargo-deny', '--version', `=${VERSION}`, '--locked', '--no-default-features', '--quiet', '--root', folder]
  return (await run('cargo', args)) === 0
}

/**
 * Runs `cargo deny check` with the checks `what`, such as `licenses`, for the native agent's crates with `agent/native/deny.toml`, and
 * resolves with the exit status.
 */
export const cargoDeny = (...what: readonly string[]): Promise<number> =>
  run(program, ['--locked', 'check', '--hide-inclusion-graph', ...what], { cwd: crate })

/** Downloads cargo-deny's database of known vulnerabilities and resolves with true on success, else false. */
export const fetchAdvisories = async (): Promise<boolean> => (await run(program, ['--locked', 'fetch', 'db'], { cwd: crate })) === 0
