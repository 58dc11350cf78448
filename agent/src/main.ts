import { keepCompiledCode } from './runtime-node/compiled-code.ts'

// Before anything else is loaded: what was compiled at an earlier start need not be again.
keepCompiledCode()
const { runProgram } = await import('./program.ts')
runProgram()
