import { runProgram } from './program.ts'
import type { Runtime } from './runtime/runtime.ts'

/** Runtime of the native host, a global object that `agent/native/src/script.rs` defines. */
declare const vedetteHost: Runtime

await runProgram(vedetteHost)
