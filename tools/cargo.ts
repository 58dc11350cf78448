import { join } from 'node:path'
import { nativeFolder } from './native-agent.ts'
import { crossEnvironment, type Target } from './native-targets.ts'
import type { Profile } from './note-built.ts'
import { root } from './rules/source-tree.ts'
import { run } from './run.ts'

/** Absolute path of the folder `agent/native`, which contains the Rust crate (package) of the native agent. */
export const crate = join(root, 'agent', 'native')

/**
 * Bundles the agent's TypeScript into the folder `nativeFolder`, by `vite build` with the additional arguments `args` in the folder
 * `agent`. Rejects when the build fails.
 */
export async function buildScript(args: readonly string[]): Promise<void> {
  const status = await run('vite', ['build', ...args], { cwd: join(root, 'agent') })
  if (status !== 0) throw new Error(`Cannot build the agent's script: the build ended with status ${status}`)
}

/**
 * Builds the native agent for a target with cargo and resolves with the path of the executable. `script` is the name of the bundle in
 * `nativeFolder` that the executable contains.
 */
export async function cargo(target: Target, profile: Profile, options: readonly string[], script: string): Promise<string> {
  const environment = { ...crossEnvironment(target), VEDETTE_AGENT_BUNDLE: join(nativeFolder, script) }
  const args = ['build', '--locked', '--profile', profile, '--target', target.triple, ...options]
  const status = await run('cargo', args, { cwd: crate, environment })
  if (status !== 0) throw new Error(`Cannot build the native agent for ${target.arch}: cargo ended with status ${status}`)
  return join(crate, 'target', target.triple, profile === 'dev' ? 'debug' : profile, 'vedette-agent')
}
