import { bytesAsText } from './bytes-as-text.ts'
import { FileUrl } from './file-url.ts'
import { nativeHost } from './native-host.ts'
import { clearTimeout, setTimeout } from './turns.ts'

const { utf8, fromUtf8 } = nativeHost.bytes

/** Globals outside the language that the unit tests and the property testing library use. */
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
