import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Wall clock of programs that the soak test starts, made with faketime(1): the test can set it. CLOCK_MONOTONIC stays the machine's, as in
 * a real clock change.
 */
export type FakedClock = {
  /** Environment variables (object from name to value) with which the soak test starts a program that must use this faked clock. */
  readonly environment: Readonly<Record<string, string>>
  /** Sets the faked clock of the soak test to the machine's time plus an offset in seconds. A negative offset sets the clock back. */
  readonly set: (offsetSeconds: number) => void
}

/**
 * Returns the path of faketime's library for programs with threads, as the value of `LD_PRELOAD`, for the soak test. `undefined` when
 * faketime(1) is not installed.
 */
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
