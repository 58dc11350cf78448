import { readStored, writeStored } from './stored-text.ts'

const STORAGE_KEY = 'ui-recent'
const KEPT = 5

/** Returns the ids of the entries opened last from the command palette in this browser, newest first. */
export const recentIds = (): readonly string[] => (readStored(STORAGE_KEY) ?? '').split('\n').filter((id) => id !== '')

export function rememberRecent(id: string): void {
  writeStored(STORAGE_KEY, [id, ...recentIds().filter((one) => one !== id)].slice(0, KEPT).join('\n'))
}
