import { bytesAsText } from './bytes-as-text.ts'
import { FileUrl } from './file-url.ts'
import { nativeHost } from './native-host.ts'
import { clearTimeout, setTimeout } from './turns.ts'

const { utf8, fromUtf8 } = nativeHost.bytes

/** What the unit tests and the library for properties take for granted beyond the language. */
Object.assign(globalThis, {
  TextEncoder: class {
    readonly encode = utf8
  },
  TextDecoder: class {
    readonly decode = fromUtf8
  },
  Buffer: bytesAsText(fromUtf8),
  URL: FileUrl,
  setTimeout,
  clearTimeout,
  process: { env: { VEDETTE_LONG: nativeHost.env('VEDETTE_LONG') ?? undefined } },
})
