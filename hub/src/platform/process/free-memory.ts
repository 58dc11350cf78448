import { startLoop, type Loop } from '../loop.ts'

/** Function without arguments that returns free pages of the C heap to the kernel, by malloc_trim(3). */
export type ReturnFreeMemory = () => void

/**
 * Loads and resolves to a function that returns free memory to the system with malloc_trim(3). Resolves to `undefined` if the C library
 * (musl) or Node.js (without `node:ffi`) lacks it.
 */
export async function loadReturnFreeMemory(): Promise<ReturnFreeMemory | undefined> {
  try {
    const { dlopen } = await import('node:ffi')
    const { functions } = dlopen('libc.so.6', { malloc_trim: { arguments: ['uint64'], return: 'int32' } })
    return () => void functions.malloc_trim(0n)
  } catch {
    return undefined
  }
}

const EVERY_MS = 60_000

/**
 * Starts a loop that returns free C heap to the kernel once a minute (malloc_trim(3), 1 to 2 ms for 12 MiB). Where that is not supported,
 * the first run ends the loop.
 */
export function startReturningMemory(onError: (error: unknown) => void): Loop {
  let returnFreeMemory: ReturnFreeMemory | undefined
  return startLoop({
    firstMs: EVERY_MS,
    async work() {
      returnFreeMemory ??= await loadReturnFreeMemory()
      if (returnFreeMemory === undefined) return undefined
      returnFreeMemory()
      return EVERY_MS
    },
    onError,
  })
}
