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
 * V8's flags for the hub, as `npm run hub` sets them. The figures are in `bench/RESULTS.md`.
 *
 * The young generation has two halves of 8 MiB: with 4 MiB a sample costs 10 % more CPU (H1), with 16 MiB the hub takes 20 MiB more. V8 would
 * shrink them between polls, which costs 14 % more CPU. Between two collections of everything the heap may grow to 2.5 times what is in use:
 * V8 would choose less under load, and a read of history (H6) costs 15 % more CPU then. Two helper threads: more would share the same work.
 * None of the flags makes V8 compile Node's own modules anew.
 */
export const hubNodeFlags: readonly string[] = [
  '--min-semi-space-size=8',
  '--max-semi-space-size=8',
  '--heap-growing-percent=150',
  '--v8-pool-size=2',
]

/**
 * As `npm run hub` has it. The C library would give each thread that helps a heap of its own, megabytes that are next to empty; nobody waits
 * for the one they share (mallopt(3), `M_ARENA_MAX`). Its heap does not shrink below what is still in use: the 64 KiB that Node takes for each
 * read are mapped instead (`M_MMAP_THRESHOLD`), so that what a flood took goes back, 40 MiB of it when the hub has just started. A process may
 * have 65,530 mappings, and V8 needs some (`M_MMAP_MAX`).
 */
export const hubEnvironment: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_MMAP_MAX_: '16384',
}

export const ensureHub = (): Promise<void> => ensureBuilt(hub)

export const buildHub = (): Promise<void> => buildNow(hub)
