import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { stampFor, type Profile } from './note-built.ts'
import { root } from './rules/source-tree.ts'

export const nativeFolder = join(root, 'agent', 'native', 'dist')

/**
 * Returns the path of the native agent's executable for an architecture (Node's name, such as `x64`). It exists only after `npm run
 * build:agent:native`.
 */
export const nativeAgent = (arch: string, folder = nativeFolder): string => join(folder, `vedette-agent-linux-${arch}`)

/**
 * Returns true when a native agent exists for this machine's architecture and was built from this version, in the profile `release` or
 * `dev`.
 */
export function isNativeBuilt(folder = nativeFolder): boolean {
  const stamp = readStamp(folder)
  const isThere = process.platform === 'linux' && existsSync(nativeAgent(process.arch, folder))
  return isThere && (stamp === stampFor('release') || stamp === stampFor('dev'))
}

/**
 * Returns the command line (program and first arguments) that starts the agent. It is the native executable if that was built for this
 * version, else Node.js with the agent's script.
 */
export const agentProgram = (folder = nativeFolder): readonly [string, ...string[]] =>
  isNativeBuilt(folder)
    ? [nativeAgent(process.arch, folder)]
    : [process.execPath, '--max-semi-space-size=1', join(root, 'agent', 'src', 'main.ts')]

/**
 * Returns path and size in bytes of the native agent's executable for this machine, built in the release profile. Throws an Error when it
 * was not built.
 */
export function builtNativeAgent(): { readonly path: string; readonly bytes: number } {
  const path = nativeAgent(process.arch)
  if (readStamp(nativeFolder) !== stampFor('release')) throw new Error(`There is no released native agent: npm run build:agent:native`)
  return { path, bytes: statSync(path).size }
}

/**
 * Returns the path of the native agent's executable for an architecture (Node's name). It must have been built in this profile and contain
 * the public key of the file `keyFile`. Otherwise throws an Error that names the command to build it.
 */
export function releasedNativeAgent(arch: string, keyFile: string, profile: Profile): string {
  const path = nativeAgent(arch)
  const command = `VEDETTE_RELEASE_KEY=${keyFile} npm run build:agent:native${profile === 'dev' ? ' -- --quick' : ''}`
  if (readStamp(nativeFolder, arch) !== stampFor(profile)) throw new Error(`There is no native agent for ${arch}: ${command}`)
  if (!readFileSync(path).includes(readFileSync(keyFile)))
    throw new Error(`The native agent for ${arch} does not have this key: ${command}`)
  return path
}

function readStamp(folder: string, arch: string = process.arch): string | undefined {
  const path = `${nativeAgent(arch, folder)}.version`
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
