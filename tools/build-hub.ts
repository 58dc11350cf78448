import { join } from 'node:path'
import { buildNow, ensureBuilt, type Build } from './built-files.ts'
import { root } from './rules/source-tree.ts'

const hub: Build = {
  name: 'the hub',
  workspace: 'hub',
  inputs: ['hub/src/**', 'hub/vite.config.ts', 'protocol/src/**'],
  except: /\.test\.ts$/,
}

/** The hub as it runs outside of tests: a quarter less memory than its sources. `hub/vite.config.ts` says how it is made. */
export const hubBundle = join(root, 'hub', 'dist', 'vedette-hub.mjs')

/**
 * As `npm run hub` has them. A small young generation: what a minute needs is soon forgotten, and garbage that waits is memory;
 * smaller still, it would be collected in the middle of what is needed. The rest is collected when it has grown by 40 %, not by as
 * much again. Two threads that help: more of them share the same work.
 */
export const hubNodeFlags: readonly string[] = ['--max-semi-space-size=4', '--heap-growing-percent=40', '--v8-pool-size=2']

export const ensureHub = (): Promise<void> => ensureBuilt(hub)

export const buildHub = (): Promise<void> => buildNow(hub)
