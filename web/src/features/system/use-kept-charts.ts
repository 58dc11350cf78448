import { useState } from 'react'
import { isEmptyFrame, type SeriesFrame } from '../../chart/series-frame.ts'
import type { ChartId } from './charts-model.ts'

/**
 * React hook: returns the chart ids to show. While `ids` is `undefined` (another time range loads), they are the previous ones, so that
 * cards stay in place. Without previous ones it is `undefined` then, and while `isFirst` (new system without samples).
 */
export function useKeptCharts(ids: readonly ChartId[] | undefined, isFirst: boolean): readonly ChartId[] | undefined {
  const [kept, setKept] = useState<readonly ChartId[]>()
  if (isFirst && kept === undefined) return undefined
  if (ids !== undefined && ids !== kept) setKept(ids)
  return ids ?? kept
}

/**
 * React hook: returns true while a new system has no sample in the loaded time range. After the first sample it stays true until
 * `isReading` is false, so that host and container charts appear together.
 */
export function useIsFirst(hostFrame: SeriesFrame | undefined, isReading: boolean): boolean {
  const isEmpty = hostFrame !== undefined && isEmptyFrame(hostFrame)
  const [isFirst, setFirst] = useState(false)
  if (isEmpty && !isFirst) setFirst(true)
  if (!isEmpty && isFirst && !isReading) setFirst(false)
  return isEmpty || (isFirst && isReading)
}
