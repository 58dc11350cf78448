import type { Loop } from '../runtime/deadline.ts'
import type { SlowText } from '../runtime/runtime.ts'

/** Function that reads files below /sys whose device may block. Resolves with their texts after `deadlineMs` at the latest. */
export type SlowReader = (paths: readonly string[], deadlineMs: number) => Promise<readonly SlowText[]>

/** Size limit of a sensor's file, in bytes: one page, kernel Documentation/filesystems/sysfs.rst. A longer file counts as unreadable. */
const MAX_BYTES = 4096

export const slowSysReader =
  (loop: Pick<Loop, 'readSlow'>, sysRoot: string): SlowReader =>
  (paths, deadlineMs) =>
    loop.readSlow(
      paths.map((path) => `${sysRoot}/${path}`),
      { maxBytes: MAX_BYTES, deadlineMs },
    )
