import { runProgram } from './program.ts'
import type { Runtime } from './runtime/runtime.ts'

/** Global object of the native host, defined in `agent/native/src/script.rs`. */
declare const vedetteHost: Runtime

await runProgram(vedetteHost)
