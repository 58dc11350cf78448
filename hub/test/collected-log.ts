import type { Log } from '../src/platform/log.ts'

/** A log, and the warnings and errors that were written to it. */
export function collectedLog(): { readonly log: Log; readonly lines: readonly string[] } {
  const lines: string[] = []
  const add = (message: string): void => void lines.push(message)
  return { log: { debug: () => {}, info: () => {}, warn: add, error: add }, lines }
}
