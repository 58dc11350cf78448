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

/** A small young generation, as `npm run hub` has it: what a minute needs is soon forgotten, and garbage that waits is memory. */
export const hubNodeFlags: readonly string[] = ['--max-semi-space-size=2']

export const ensureHub = (): Promise<void> => ensureBuilt(hub)

export const buildHub = (): Promise<void> => buildNow(hub)
