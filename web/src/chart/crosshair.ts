/**
 * Crosshair position shared by several charts: functions that return it (`at`), set it (`move`) and observe it (`follow`). It is a time in
 * epoch ms between charts, and an index of a time between a chart and its legend. `undefined` when the pointer is elsewhere.
 */
export type Crosshair = {
  readonly at: () => number | undefined
  readonly move: (at: number | undefined) => void
  readonly follow: (listener: (at: number | undefined) => void) => () => void
}

export function createCrosshair(): Crosshair {
  const listeners = new Set<(at: number | undefined) => void>()
  let current: number | undefined
  return {
    at: () => current,
    move: (at) => {
      if (at === current) return
      current = at
      for (const listener of listeners) listener(at)
    },
    follow: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Returns the index of the time nearest to `at` by binary search; `times` must ascend. `undefined` for an empty array. */
export function nearestIndex(times: readonly number[], at: number): number | undefined {
  if (times.length === 0) return undefined
  let low = 0
  let high = times.length - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) <= at) low = middle
    else high = middle
  }
  return at - (times[low] ?? 0) <= (times[high] ?? 0) - at ? low : high
}
