import type { Loop } from '../runtime/deadline.ts'
import type { SlowText } from '../runtime/runtime.ts'

/** Reads files below /sys that may wait for a device; at the latest after `deadlineMs`, with what there is by then. */
export type SlowReader = (paths: readonly string[], deadlineMs: number) => Promise<readonly SlowText[]>

/** A sensor's file is one number; kernel Documentation/filesystems/sysfs.rst allows a page. */
const MAX_BYTES = 4096

export const slowSysReader =
  (loop: Pick<Loop, 'readSlow'>, sysRoot: string): SlowReader =>
  (paths, deadlineMs) =>
    loop.readSlow(
      paths.map((path) => `${sysRoot}/${path}`),
      { maxBytes: MAX_BYTES, deadlineMs },
    )
