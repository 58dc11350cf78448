import type { KeyScope } from '../../api/api-keys.ts'
import * as words from '../../words/messages.js'

/** Object from the scope of an API key, such as `read`, to a function that returns the scope's translated name. */
export const scopeName: Readonly<Record<KeyScope, () => string>> = {
  read: words.api_key_read,
  write: words.api_key_write,
  ingest: words.api_key_ingest,
}

/** Object from the scope of an API key, such as `read`, to a function. It returns a translated sentence about what a key with it may do. */
export const scopeHint: Readonly<Record<KeyScope, () => string>> = {
  read: words.api_key_read_about,
  write: words.api_key_write_about,
  ingest: words.api_key_ingest_about,
}
