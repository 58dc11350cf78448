/** A failed item and its error. */
export type Failure<T> = { readonly item: T; readonly error: unknown }

/** So many requests are on their way at one time: the browser would hold back more, and others want answers too. */
const AT_ONCE = 4

/** Does something to each, a few at a time; what fails for one is told and keeps none of the others. Failures come in the items' order. */
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
