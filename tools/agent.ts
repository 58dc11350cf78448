import { join } from 'node:path'
import { isNativeBuilt, nativeAgent } from './native-agent.ts'
import { root } from './rules/source-tree.ts'

/** Becomes the agent: the native one where it has been built for this version, else on Node. */
const args = process.argv.slice(2)
if (isNativeBuilt()) become(nativeAgent(process.arch), args)
else become(process.execPath, ['--max-semi-space-size=1', join(root, 'agent', 'src', 'main.ts'), ...args])

function become(program: string, rest: readonly string[]): void {
  if (process.execve === undefined) throw new Error('Cannot start the agent: this system cannot replace a process')
  process.execve(program, [program, ...rest], process.env)
}
