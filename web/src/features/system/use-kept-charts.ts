import { useState } from 'react'
import { isEmptyFrame, type SeriesFrame } from '../../chart/series-frame.ts'
import type { ChartId } from './charts-model.ts'

/**
 * React hook: returns the given chart ids, or the previous ones while they are `undefined`, so that cards stay in place while another range
 * loads. `isFirst` is true while the charts of a new system are unknown.
 */
export function useKeptCharts(ids: readonly ChartId[] | undefined, isFirst: boolean): readonly ChartId[] | undefined {
  const [kept, setKept] = useState<readonly ChartId[]>()
  if (isFirst && kept === undefined) return undefined
  if (ids !== undefined && ids !== kept) setKept(ids)
  return ids ?? kept
}

/**
 * React hook: returns true before a system's first sample, and until host and container charts were reloaded with it, so that both appear
 * together.
 */
export function useIsFirst(hostFrame: SeriesFrame | undefined, isReading: boolean): boolean {
  const isEmpty = hostFrame !== undefined && isEmptyFrame(hostFrame)
  const [isFirst, setFirst] = useState(false)
  if (isEmpty && !isFirst) setFirst(true)
  if (!isEmpty && isFirst && !isReading) setFirst(false)
  return isEmpty || (isFirst && isReading)
}
