import type { Loop } from '../runtime/deadline.ts'
import type { SlowText } from '../runtime/runtime.ts'

/**
 * Function that reads files whose device may block, such as those of sensors; the paths are relative to the /sys root. Resolves after
 * `deadlineMs` at the latest, with text and read duration for each path in their order. The text is `null` for a file that was not read.
 */
export type SlowReader = (paths: readonly string[], deadlineMs: number) => Promise<readonly SlowText[]>

/**
 * Size limit in bytes, 4,096, of a sensor's file: one page, kernel Documentation/filesystems/sysfs.rst. A longer file counts as unreadable.
 */
const MAX_BYTES = 4096

export const slowSysReader =
  (loop: Pick<Loop, 'readSlow'>, sysRoot: string): SlowReader =>
  (paths, deadlineMs) =>
    loop.readSlow(
      paths.map((path) => `${sysRoot}/${path}`),
      { maxBytes: MAX_BYTES, deadlineMs },
    )
