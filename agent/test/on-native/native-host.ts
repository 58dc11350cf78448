import type { Runtime } from '../../src/runtime.ts'

/** What the native host offers under this name, `agent/native/src/script.rs`. */
declare const vedetteHost: Runtime

/** The host that the unit tests run on. Nothing here runs on Node. */
export const nativeHost: Runtime = vedetteHost
