import { runProgram } from './program.ts'
import type { Runtime } from './runtime.ts'

/** What the native host offers under this name, `agent/native/src/script.rs`. */
declare const vedetteHost: Runtime

await runProgram(vedetteHost)
