import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')

/** Runs a full garbage collection of this process at once. Throws a TypeError when V8 does not expose it. */
export function collectNow(): void {
  if (typeof collect !== 'function') throw new TypeError('Cannot collect: V8 exposes no function for it')
  collect()
}
