import { keyOf, splitKey } from '@vedette/protocol/metrics/series'
import type { NumberedSeries, SeriesNumbers } from '../src/history/model/numbered-series.ts'
import { finestStep } from '../src/history/model/precision.ts'

/** Series numbered by their place in a list, with gaps as a long life leaves them. */
export function numberedBy(keys: readonly string[]): SeriesNumbers {
  const all = keys.map((key, at): NumberedSeries => ({
    number: at + (at > 2 ? 5 : 0),
    key,
    field: splitKey(key)[1],
    step: finestStep(key),
    confirmedMs: 0,
  }))
  return {
    find: (thing, field) => all.find((one) => one.key === keyOf(thing, field)),
    byKey(key) {
      const found = all.find((one) => one.key === key)
      if (found === undefined) throw new RangeError(`Cannot store "${key}": it has no number`)
      return found
    },
    byNumber: (number) => all.find((one) => one.number === number),
  }
}
