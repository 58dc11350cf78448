import type { ByteTools } from '../../src/runtime/runtime.ts'
import { nativeHost } from './native-host.ts'

/** Takes the place of `runtime/node/byte-tools.ts`: the host's own. */
export const byteTools: ByteTools = nativeHost.bytes
