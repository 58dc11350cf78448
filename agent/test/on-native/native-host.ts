import type { Runtime } from '../../src/runtime/runtime.ts'

/** Runtime of the native host, a global object that `agent/native/src/script.rs` defines. */
declare const vedetteHost: Runtime

/** Runtime that the unit tests run on. Node cannot load this file. */
export const nativeHost: Runtime = vedetteHost
