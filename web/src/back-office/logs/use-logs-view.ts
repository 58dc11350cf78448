import { useState } from 'react'
import { clockNow } from '../../format/clock.ts'
import { useSearchValues } from '../../navigation/use-search-values.ts'
import { filterOfParts, logFields, windowIn, type LogParts, type LogValues, type Span } from './log-parts.ts'
import type { LogsQuery } from './logs.ts'

/** Filter, time range and page of the log, from the address. */
export type LogsView = {
  readonly query: LogsQuery
  readonly parts: LogParts
  /** Undefined where somebody chose moments. */
  readonly span: Span | undefined
  /** The id of the open entry; `''` for none. */
  readonly openId: string
  readonly change: (part: Partial<LogValues>) => void
  /** The same in a new history entry. */
  readonly step: (part: Partial<LogValues>) => void
  readonly openEntry: (logId: string) => void
  readonly closeEntry: () => void
}

export function useLogsView(): LogsView {
  const { values, change, step, open, close } = useSearchValues<LogValues>(logFields)
  // A span ends where the page was asked for it, so that what is shown stands still.
  const [nowMs, setNowMs] = useState(clockNow)
  const { fromMs, toMs, span } = windowIn(values, nowMs)
  const renewed =
    (write: typeof change): typeof change =>
    (part) => {
      setNowMs(clockNow())
      write(part)
    }
  return {
    query: { filter: filterOfParts(values), fromMs, toMs },
    parts: values,
    span,
    openId: values.logId,
    change: renewed(change),
    step: renewed(step),
    openEntry: (logId) => open({ logId }),
    closeEntry: () => close({ logId: '' }),
  }
}
