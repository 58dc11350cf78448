import { runProgram } from './program.ts'
import type { Runtime } from './runtime/runtime.ts'

/**
 * Runtime of the agent (files, network, timers) that the native program in Rust provides as a global object. `agent/native/src/script.rs`
 * defines it.
 */
declare const vedetteHost: Runtime

await runProgram(vedetteHost)
