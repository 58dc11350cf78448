import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { CommandRefusedError } from './command.ts'

/** Writes, and waits while the reader does not keep up. Refuses once nobody reads any more. */
export function writingTo(output: Writable): (text: string) => Promise<void> {
  let failure: Error | undefined
  output.on('error', (error: Error) => void (failure = error))
  return async (text) => {
    if (failure === undefined && !output.write(text)) await once(output, 'drain').catch(() => {})
    if (failure !== undefined) throw new CommandRefusedError(`Cannot write any more: ${failure.message}`)
  }
}
