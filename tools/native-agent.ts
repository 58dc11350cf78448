import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { stampFor } from './note-built.ts'
import { root } from './rules/source-tree.ts'

export const nativeFolder = join(root, 'agent', 'native', 'dist')

/** Where `npm run build:agent:native` puts the executable for an architecture as Node names it. */
export const nativeAgent = (arch: string): string => join(nativeFolder, `vedette-agent-linux-${arch}`)

/** Whether the executable of this machine was built for this version, in either profile. */
export function isNativeBuilt(): boolean {
  const stamp = readStamp()
  return process.platform === 'linux' && (stamp === stampFor('release') || stamp === stampFor('dev'))
}

/** The released executable of this machine; throws when it was not built, or only the quick one. */
export function builtNativeAgent(): { readonly path: string; readonly bytes: number } {
  const path = nativeAgent(process.arch)
  if (readStamp() !== stampFor('release')) throw new Error(`There is no released native agent: npm run build:agent:native`)
  return { path, bytes: statSync(path).size }
}

function readStamp(): string | undefined {
  const path = `${nativeAgent(process.arch)}.version`
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
