import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { VEDETTE_VERSION } from '../protocol/src/wire/version.ts'
import { root } from './rules/source-tree.ts'

export const nativeFolder = join(root, 'agent', 'native', 'dist')

/** Where `npm run build:agent:native` puts the executable for an architecture as Node names it. */
export const nativeAgent = (arch: string): string => join(nativeFolder, `vedette-agent-linux-${arch}`)

/** What is written beside it: which version it is of, and whether it is the one that is released. */
export const nativeStamp = (profile: 'release' | 'dev'): string => `${VEDETTE_VERSION} ${profile}`

/** Whether the executable of this machine was built for this version, in either profile. */
export function isNativeBuilt(): boolean {
  const stamp = readStamp()
  return process.platform === 'linux' && (stamp === nativeStamp('release') || stamp === nativeStamp('dev'))
}

/** The released executable of this machine; throws when it was not built, or only the quick one. */
export function builtNativeAgent(): { readonly path: string; readonly bytes: number } {
  const path = nativeAgent(process.arch)
  if (readStamp() !== nativeStamp('release')) throw new Error(`There is no released native agent: npm run build:agent:native`)
  return { path, bytes: statSync(path).size }
}

function readStamp(): string | undefined {
  const path = `${nativeAgent(process.arch)}.version`
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
