import type { ByteTools } from '../../src/runtime/runtime.ts'
import { nativeHost } from './native-host.ts'

/** Replacement for `runtime/node/byte-tools.ts`: the native host's own functions. */
export const byteTools: ByteTools = nativeHost.bytes
