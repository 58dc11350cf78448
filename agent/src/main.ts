import { setFlagsFromString } from 'node:v8'
import { runProgram } from './program.ts'
import { nodeRuntime } from './runtime-node.ts'

// V8 collects all garbage after 2 MiB more instead of 8 MiB. As an option of the command line it would make V8 refuse the compiled code of Node's own modules.
setFlagsFromString('--optimize-for-size')
await runProgram(nodeRuntime())
