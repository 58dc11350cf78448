import { useState } from 'react'
import { isEmptyFrame, type SeriesFrame } from '../../chart/series-frame.ts'
import type { ChartId } from './charts-model.ts'

/** The last charts that were known, so that a change of range keeps every card in its place. `isFirst`: which charts there are is not known yet. */
export function useKeptCharts(ids: readonly ChartId[] | undefined, isFirst: boolean): readonly ChartId[] | undefined {
  const [kept, setKept] = useState<readonly ChartId[]>()
  if (isFirst && kept === undefined) return undefined
  if (ids !== undefined && ids !== kept) setKept(ids)
  return ids ?? kept
}

/** True before the first sample, and from then on until both sets have it: the cards of containers come with those of the host. */
export function useIsFirst(hostFrame: SeriesFrame | undefined, isReading: boolean): boolean {
  const isEmpty = hostFrame !== undefined && isEmptyFrame(hostFrame)
  const [isFirst, setFirst] = useState(false)
  if (isEmpty && !isFirst) setFirst(true)
  if (!isEmpty && isFirst && !isReading) setFirst(false)
  return isEmpty || (isFirst && isReading)
}
