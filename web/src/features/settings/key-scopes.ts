import type { KeyScope } from '../../api/api-keys.ts'
import * as words from '../../words/messages.js'

/** Map from the scope of an API key to the function that returns its displayed name. */
export const scopeName: Readonly<Record<KeyScope, () => string>> = {
  read: words.api_key_read,
  write: words.api_key_write,
  ingest: words.api_key_ingest,
}

/** Map from the scope of an API key to the function that returns a sentence about what the key may do. */
export const scopeHint: Readonly<Record<KeyScope, () => string>> = {
  read: words.api_key_read_about,
  write: words.api_key_write_about,
  ingest: words.api_key_ingest_about,
}
