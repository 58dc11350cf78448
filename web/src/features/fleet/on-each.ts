/** Item for which the action of `onEach` failed, such as a system, with the error. */
export type Failure<T> = { readonly item: T; readonly error: unknown }

/** Maximum number of requests, 4, that `onEach` runs at once. Browsers limit connections, and other requests must get through. */
const AT_ONCE = 4

/**
 * Calls `act` for each item, 4 at a time; a failure does not stop the other calls. `onProgress` gets the number of finished items. Resolves
 * with the failures, in the order of the items.
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
