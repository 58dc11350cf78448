import { startLoop, type Loop } from './loop.ts'

/**
 * Returns to the kernel whole free pages of the C library's heap, malloc_trim(3). By itself the library returns only the end of its heap, so one
 * small block that stays in use there keeps the peak of a flood resident.
 */
export type ReturnFreeMemory = () => void

/** Undefined where the C library has no malloc_trim(3), as musl, or Node has no `node:ffi`, which is experimental. */
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

/** Returns free memory once a minute: 1 to 2 ms for a heap of 12 MiB. Does nothing where that is not possible. */
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
