import { runProgram } from './program.ts'
import { nodeRuntime } from './runtime-node.ts'

await runProgram(nodeRuntime())
