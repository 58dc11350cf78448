import type { Runtime } from '../../src/runtime/runtime.ts'

/** Global object of the native host, defined in `agent/native/src/script.rs`. */
declare const vedetteHost: Runtime

/** The host that the unit tests run on. Node cannot load this file. */
export const nativeHost: Runtime = vedetteHost
