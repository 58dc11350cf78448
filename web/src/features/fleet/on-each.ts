/** Failed action of `onEach` on one item: the item and the error. */
export type Failure<T> = { readonly item: T; readonly error: unknown }

/** Maximum number of requests that `onEach` runs at once. Browsers limit connections, and other requests must get through. */
const AT_ONCE = 4

/**
 * Runs an action for each item, 4 at a time; a failure does not stop the others. Calls `onProgress` with the number of finished items.
 * Resolves to the failures.
 */
export async function onEach<T>(
  items: readonly T[],
  act: (item: T) => Promise<unknown>,
  onProgress: (done: number) => void,
): Promise<readonly Failure<T>[]> {
  const waiting = items.entries()
  const failures = new Map<number, Failure<T>>()
  let done = 0
  const work = async () => {
    for (const [index, item] of waiting) {
      try {
        await act(item)
      } catch (error) {
        failures.set(index, { item, error })
      }
      onProgress(++done)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return items.flatMap((_, index) => failures.get(index) ?? [])
}
