import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildNow, ensureBuilt, type Build } from './built-files.ts'
import { noteBuilt } from './note-built.ts'
import { root } from './rules/source-tree.ts'

/** Path of the agent's bundle for Node.js, a single `.mjs` file that `agent/vite.config.ts` builds. */
export const agentBundle = join(root, 'agent', 'dist', 'vedette-agent.mjs')

const agent: Build = {
  name: 'the agent',
  workspace: 'agent',
  inputs: ['agent/src/**', 'agent/vite.config.ts', 'protocol/src/**'],
  except: /\.test\.ts$|\/fixtures\//,
  finish() {
    chmodSync(agentBundle, 0o755)
    noteBuilt(agentBundle, 'release')
  },
}

export const ensureAgent = (): Promise<void> => ensureBuilt(agent)

export async function buildAgent(): Promise<{ readonly bytes: number }> {
  await buildNow(agent)
  return { bytes: statSync(agentBundle).size }
}

if (import.meta.main) {
  const { bytes } = await buildAgent()
  console.log(`agent/dist/vedette-agent.mjs  ${(bytes / 1000).toFixed(1)} kB`)
}
