import { useEffect, useRef } from 'react'
import type { ChartSpan } from '../../api/stats.ts'
import { isRenewalDue } from './renewal-model.ts'

type Renewed = { readonly span: ChartSpan; readonly sampledAtMs: number | undefined; readonly isWanted: boolean }

/** Calls `renew` when there may be more to draw than was read for the newest sample then; a picked window stays as it is. */
export function useRenewal({ span, sampledAtMs, isWanted }: Renewed, renew: () => void): void {
  const read = useRef<Pick<Renewed, 'span' | 'sampledAtMs'>>(undefined)
  useEffect(() => {
    if (!isWanted || span.kind === 'window') return
    const isFirst = read.current?.span !== span
    if (!isFirst && !isRenewalDue(read.current?.sampledAtMs, sampledAtMs, span.range.intervalMs)) return
    read.current = { span, sampledAtMs }
    // Another span is read without being asked.
    if (!isFirst) renew()
  }, [span, sampledAtMs, isWanted, renew])
}
