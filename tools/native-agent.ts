import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { stampFor } from './note-built.ts'
import { root } from './rules/source-tree.ts'

export const nativeFolder = join(root, 'agent', 'native', 'dist')

/** Where `npm run build:agent:native` puts the executable for an architecture as Node names it. */
export const nativeAgent = (arch: string, folder = nativeFolder): string => join(folder, `vedette-agent-linux-${arch}`)

/** Whether the executable of this machine was built for this version, in either profile. */
export function isNativeBuilt(folder = nativeFolder): boolean {
  const stamp = readStamp(folder)
  const isThere = process.platform === 'linux' && existsSync(nativeAgent(process.arch, folder))
  return isThere && (stamp === stampFor('release') || stamp === stampFor('dev'))
}

/** The program that is the agent here, with its first arguments: the executable where it was built for this version, else Node.js. */
export const agentProgram = (folder = nativeFolder): readonly [string, ...string[]] =>
  isNativeBuilt(folder)
    ? [nativeAgent(process.arch, folder)]
    : [process.execPath, '--max-semi-space-size=1', join(root, 'agent', 'src', 'main.ts')]

/** The released executable of this machine; throws when it was not built, or only the quick one. */
export function builtNativeAgent(): { readonly path: string; readonly bytes: number } {
  const path = nativeAgent(process.arch)
  if (readStamp(nativeFolder) !== stampFor('release')) throw new Error(`There is no released native agent: npm run build:agent:native`)
  return { path, bytes: statSync(path).size }
}

function readStamp(folder: string): string | undefined {
  const path = `${nativeAgent(process.arch, folder)}.version`
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
