import { join } from 'node:path'
import { buildNow, ensureBuilt, type Build } from './built-files.ts'
import { root } from './rules/source-tree.ts'

const hub: Build = {
  name: 'the hub',
  workspace: 'hub',
  inputs: ['hub/src/**', 'hub/vite.config.ts', 'tools/ascii-chunks.ts', 'protocol/src/**'],
  except: /\.test\.ts$/,
}

/** The hub as it runs outside of tests: a quarter less memory than its sources. `hub/vite.config.ts` says how it is made. */
export const hubBundle = join(root, 'hub', 'dist', 'vedette-hub.mjs')

/**
 * Node's flags for the hub, as `npm run hub` sets them. The figures are in `bench/RESULTS.md`.
 *
 * The young generation has two halves of 8 MiB: with 4 MiB a sample costs 10 % more CPU (H1), with 16 MiB the hub takes 20 MiB more. V8 would
 * shrink them between polls, which costs 14 % more CPU. V8 decides how far the heap grows: with fixed room for 2.5 times what is in use a read of
 * history (H6) costs 15 % less CPU, but a steady fleet takes 15 to 25 MiB more. Two helper threads: more would share the same work. None of the
 * flags makes V8 compile Node's own modules anew.
 */
export const hubNodeFlags: readonly string[] = [
  '--min-semi-space-size=8',
  '--max-semi-space-size=8',
  '--v8-pool-size=2',
  // `node:ffi`, by which the hub returns free memory.
  '--disable-warning=ExperimentalWarning',
]

/**
 * As `npm run hub` has it. The C library would give each thread that helps a heap of its own, megabytes that are next to empty; nobody waits
 * for the one they share (mallopt(3), `M_ARENA_MAX`). Its heap does not shrink below what is still in use, so a flood should not make it
 * grow: where it has no room, 8 KiB and more are mapped (`M_MMAP_THRESHOLD`), but not the pages of SQLite's cache. It grows by little more
 * than the 64 KiB that Node takes for a read (`M_TOP_PAD`): with less, each read of a steady fleet is mapped, a quarter more CPU. A process may
 * have 65,530 mappings, and V8 needs some (`M_MMAP_MAX`).
 */
export const hubEnvironment: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '8192',
  MALLOC_MMAP_MAX_: '16384',
  MALLOC_TOP_PAD_: '81920',
}

export const ensureHub = (): Promise<void> => ensureBuilt(hub)

export const buildHub = (): Promise<void> => buildNow(hub)
