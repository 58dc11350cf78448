import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { CommandRefusedError } from './command.ts'

/** Returns a function that writes text and waits for a slow reader. It throws a CommandRefusedError once the reader is gone. */
export function writingTo(output: Writable): (text: string) => Promise<void> {
  let failure: Error | undefined
  output.on('error', (error: Error) => void (failure = error))
  return async (text) => {
    if (failure === undefined && !output.write(text)) await once(output, 'drain').catch(() => {})
    if (failure !== undefined) throw new CommandRefusedError(`Cannot write any more: ${failure.message}`)
  }
}
