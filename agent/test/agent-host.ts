import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('..', import.meta.url))

/** Host that the agent's tests run on: `native` if `VEDETTE_AGENT_HOST` is `native`, else Node. */
export const agentHost: 'node' | 'native' = process.env['VEDETTE_AGENT_HOST'] === 'native' ? 'native' : 'node'

/** Returns the program and first arguments that start the agent in a process of its own. */
export const agentCommand = (): readonly [string, ...string[]] =>
  agentHost === 'native' ? [built(`vedette-agent-linux-${process.arch}`)] : [process.execPath, join(folder, 'src', 'main.ts')]

/** Returns the path of the native host with a script that tests control. */
export const driverProgram = (): string => built('test-driver')

function built(name: string): string {
  const path = join(folder, 'native', 'dist', name)
  if (!existsSync(path)) throw new Error(`There is no native agent to test; build it first: npm run build:agent:native -- --quick`)
  return path
}
