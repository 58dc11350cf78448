import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { CommandRefusedError, type Terminal } from './command.ts'

/**
 * Maximum number of bytes that a command reads from standard input: 4 KiB. More bytes make the command fail; a password with its line end
 * is shorter.
 */
const MAX_BYTES = 4096
const WITHIN_MS = 60_000

/**
 * Reads standard input to its end and resolves with the text. Rejects with a `RangeError` if it is longer than 4096 bytes or does not end
 * within 60 s.
 */
export async function readAll(input: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  const late = setTimeout(() => input.destroy(new RangeError(`standard input did not end within ${WITHIN_MS / 1000} s`)), WITHIN_MS)
  try {
    for await (const chunk of input) {
      const bytes = Buffer.from(chunk)
      size += bytes.length
      if (size > MAX_BYTES) throw new RangeError(`standard input holds more than ${MAX_BYTES} bytes`)
      chunks.push(bytes)
    }
  } finally {
    clearTimeout(late)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Returns a function that writes a text to the output and resolves when the output can take more. It rejects with a CommandRefusedError
 * once the output is closed.
 */
export function writingTo(output: Writable): (text: string) => Promise<void> {
  let failure: Error | undefined
  output.on('error', (error: Error) => void (failure = error))
  return async (text) => {
    if (failure === undefined && !output.write(text)) await once(output, 'drain').catch(() => {})
    if (failure !== undefined) throw new CommandRefusedError(`Cannot write any more: ${failure.message}`)
  }
}

/**
 * Returns functions that read and write this process's standard input, output and error output, for a command, with the given environment
 * variables.
 */
export const processTerminal = (environment: Terminal['environment']): Terminal => ({
  environment,
  readInput: () => readAll(process.stdin),
  say: (text) => void process.stdout.write(`${text}\n`),
  write: writingTo(process.stdout),
  complain: (text) => void process.stderr.write(`${text}\n`),
  get isInteractive() {
    return process.stdin.isTTY && process.stdout.isTTY
  },
  confirm,
})

/**
 * Prints a question, and resolves to true if the reply is `y` or `yes`. Resolves to false for any other reply and at the end of the input.
 * Readline's terminal mode is off, so that Ctrl-C is a signal as in the rest of a command.
 */
async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout, terminal: false })
  try {
    const ended = once(lines, 'close').then(() => '')
    return /^y(?:es)?$/i.test((await Promise.race([lines.question(`${question} [y/N] `, { signal }), ended])).trim())
  } finally {
    lines.close()
  }
}
