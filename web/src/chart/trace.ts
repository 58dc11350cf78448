import type { Column } from '../format/column.ts'

/**
 * Values between two gaps as they are drawn, x and y by turns in pixels: their line, and the edges of the area below it. The lower
 * edge is empty where the area ends at zero.
 */
export type Run = { readonly line: readonly number[]; readonly top: readonly number[]; readonly bottom: readonly number[] }

/** Pixels are `start + perUnit × value`, for times and for values. */
export type Placing = { readonly x: { readonly start: number; readonly perUnit: number }; readonly y: Placing['x'] }

export type Traced = {
  /** As many as there are values, ascending. */
  readonly times: readonly number[]
  readonly upper: Column
  /** With it, a run goes on where both are known. */
  readonly lower?: Column | undefined
}

/** The runs of a column of values. Plain loops: a page of charts has a hundred thousand values when it is opened. */
export function runsOf({ times, upper, lower }: Traced, placing: Placing): readonly Run[] {
  const runs: Run[] = []
  let from: number | undefined
  for (let index = 0; index <= times.length; index++) {
    const isKnown = isValue(upper[index]) && (lower === undefined || isValue(lower[index]))
    if (isKnown) {
      from ??= index
    } else if (from !== undefined) {
      const stretch = { times, from, to: index, placing }
      const { line, highest } = edgesOf(upper, stretch)
      runs.push({ line, top: highest, bottom: lower === undefined ? [] : edgesOf(lower, stretch).lowest })
      from = undefined
    }
  }
  return runs
}

const isValue = (value: number | null | undefined): boolean => value !== null && value !== undefined

type Stretch = { readonly times: readonly number[]; readonly from: number; readonly to: number; readonly placing: Placing }

/** Draws the lowest and the highest of the values on one column of pixels: the others lie between them. */
function edgesOf(values: Column, { times, from, to, placing: { x, y } }: Stretch) {
  const [line, highest, lowest]: [number[], number[], number[]] = [[], [], []]
  let column = Number.NaN
  // Pixels count downwards.
  let top = 0
  let bottom = 0
  let isTopLast = false
  for (let index = from; index <= to; index++) {
    const at = index === to ? Number.NaN : Math.round(x.start + x.perUnit * (times[index] ?? 0))
    const level = y.start + y.perUnit * (values[index] ?? 0)
    if (at === column) {
      if (level < top) {
        top = level
        isTopLast = true
      } else if (level > bottom) {
        bottom = level
        isTopLast = false
      }
      continue
    }
    if (index > from) {
      line.push(column, isTopLast ? bottom : top)
      if (top !== bottom) line.push(column, isTopLast ? top : bottom)
      highest.push(column, top)
      lowest.push(column, bottom)
    }
    column = at
    top = level
    bottom = level
  }
  return { line, highest, lowest } as const
}
