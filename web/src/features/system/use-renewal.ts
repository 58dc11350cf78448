import { useEffect, useRef } from 'react'
import type { ChartSpan } from '../../api/stats.ts'
import { isRenewalDue } from './renewal-model.ts'

type Renewed = { readonly span: ChartSpan; readonly sampledAtMs: number | undefined; readonly isWanted: boolean }

/**
 * React hook: calls `renew` when a sample arrives that is at least half a sampling interval newer than the loaded charts. It does not for a
 * time window that the user selected, or while `isWanted` is false.
 */
export function useRenewal({ span, sampledAtMs, isWanted }: Renewed, renew: () => void): void {
  const read = useRef<Pick<Renewed, 'span' | 'sampledAtMs'>>(undefined)
  useEffect(() => {
    if (!isWanted || span.kind === 'window') return
    const isFirst = read.current?.span !== span
    if (!isFirst && !isRenewalDue(read.current?.sampledAtMs, sampledAtMs, span.range.intervalMs)) return
    read.current = { span, sampledAtMs }
    // Another time range is loaded by its own query.
    if (!isFirst) renew()
  }, [span, sampledAtMs, isWanted, renew])
}
