import { chmod, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './rules/source-tree.ts'
import { run } from './run.ts'

/** The agent as one file; `agent/vite.config.ts` says how. */
export const agentBundle = join(root, 'agent', 'dist', 'vedette-agent.mjs')

export async function buildAgent(): Promise<{ readonly bytes: number }> {
  const status = await run('vite', ['build'], { cwd: join(root, 'agent') })
  if (status !== 0) throw new Error(`Cannot build the agent: the build ended with status ${status}`)
  await chmod(agentBundle, 0o755)
  return { bytes: (await stat(agentBundle)).size }
}

if (import.meta.main) {
  const { bytes } = await buildAgent()
  console.log(`agent/dist/vedette-agent.mjs  ${(bytes / 1000).toFixed(1)} kB`)
}
