import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Wall clock for test programs, which can be set apart from the machine's. CLOCK_MONOTONIC stays the machine's, as in a real clock change
 * (faketime(1)).
 */
export type FakedClock = {
  /** Environment variables for every program that uses this clock. */
  readonly environment: Readonly<Record<string, string>>
  /** Sets the offset from the machine's clock, in seconds. A negative offset sets the clock back. */
  readonly set: (offsetSeconds: number) => void
}

/** Returns the value of `LD_PRELOAD` with which faketime(1) runs a program with threads. `undefined` when it is not installed. */
export function fakedClockLibrary(): string | undefined {
  try {
    return execFileSync('faketime', ['-m', '-f', '+0', 'printenv', 'LD_PRELOAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return undefined
  }
}

export function fakedClock(library: string, folder: string): FakedClock {
  const file = join(folder, 'clock')
  const set = (offsetSeconds: number): void => writeFileSync(file, `${offsetSeconds < 0 ? '' : '+'}${offsetSeconds}\n`)
  set(0)
  return {
    set,
    environment: { LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1', DONT_FAKE_MONOTONIC: '1' },
  }
}
