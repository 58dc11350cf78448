import { useState } from 'react'
import { isEmptyFrame, type SeriesFrame } from '../../chart/series-frame.ts'
import type { ChartId } from './charts-model.ts'

/**
 * React hook: returns the given chart ids. While they are `undefined` (another range loads), it returns the ids of before, so that cards
 * stay in place. Returns `undefined` if there were none and `isFirst` (no sample of a new system yet).
 */
export function useKeptCharts(ids: readonly ChartId[] | undefined, isFirst: boolean): readonly ChartId[] | undefined {
  const [kept, setKept] = useState<readonly ChartId[]>()
  if (isFirst && kept === undefined) return undefined
  if (ids !== undefined && ids !== kept) setKept(ids)
  return ids ?? kept
}

/**
 * React hook: returns true while a system has no sample in the loaded range. It stays true until host and container charts are reloaded
 * after that, so that both appear together.
 */
export function useIsFirst(hostFrame: SeriesFrame | undefined, isReading: boolean): boolean {
  const isEmpty = hostFrame !== undefined && isEmptyFrame(hostFrame)
  const [isFirst, setFirst] = useState(false)
  if (isEmpty && !isFirst) setFirst(true)
  if (!isEmpty && isFirst && !isReading) setFirst(false)
  return isEmpty || (isFirst && isReading)
}
