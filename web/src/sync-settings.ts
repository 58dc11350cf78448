import { fetchSettings } from './api/account.ts'
import { readSettings } from './preferences/stored-settings.ts'
import { applySettings } from './preferences/shown-settings.ts'

/** Takes over what the person chose elsewhere. While that cannot be read, what this browser remembers holds. */
export async function syncSettings(signal: AbortSignal): Promise<void> {
  applySettings(readSettings(await fetchSettings(signal)))
}
