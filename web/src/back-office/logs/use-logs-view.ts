import { useState } from 'react'
import { clockNow } from '../../format/clock.ts'
import { goTo, useAddress } from '../address.ts'
import { filterOfParts, partsIn, windowIn, type LogParts, type Span } from './log-parts.ts'
import type { LogsQuery } from './logs.ts'

/** What of the log is shown, as the address says it. */
export type LogsView = {
  readonly query: LogsQuery
  readonly parts: LogParts
  /** Undefined where somebody chose moments. */
  readonly span: Span | undefined
  /** The entry that is open. */
  readonly open: string | undefined
  readonly change: (part: Readonly<Record<string, string>>, isStep?: boolean) => void
}

export function useLogsView(): LogsView {
  const { path, query } = useAddress()
  // A span ends where the page was asked for it, so that what is shown stands still.
  const [nowMs, setNowMs] = useState(clockNow)
  const parts = partsIn(query)
  const { fromMs, toMs, span } = windowIn(query, nowMs)
  return {
    query: { filter: filterOfParts(parts), fromMs, toMs },
    parts,
    span,
    open: query['logId'],
    change(part, isStep = false) {
      if (!('logId' in part)) setNowMs(clockNow())
      goTo({ path, query: { ...query, ...part } }, isStep)
    },
  }
}
