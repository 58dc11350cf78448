import { useState } from 'react'
import { clockNow } from '../../format/clock.ts'
import { useSearchValues } from '../../navigation/use-search-values.ts'
import { filterOfParts, logFields, windowIn, type LogParts, type LogValues, type Span } from './log-parts.ts'
import type { LogsQuery } from './logs.ts'

/** State of the log page that is stored in the URL (filters, time range, open entry), with functions that change it. */
export type LogsView = {
  readonly query: LogsQuery
  readonly parts: LogParts
  /**
   * Id of the preset time range, such as `24h`, that is selected on the log page; `undefined` when the page's URL has a start or end time
   * instead.
   */
  readonly span: Span | undefined
  /** Id of the log entry that is open; an empty string for none. */
  readonly openId: string
  readonly change: (part: Partial<LogValues>) => void
  /**
   * Changes filters of the log page to the passed values: writes them to the URL and adds an entry to the browser's history. Back then
   * undoes it. `change`, in contrast, replaces the current entry.
   */
  readonly step: (part: Partial<LogValues>) => void
  readonly openEntry: (logId: string) => void
  readonly closeEntry: () => void
}

export function useLogsView(): LogsView {
  const { values, change, step, open, close } = useSearchValues<LogValues>(logFields)
  // The end of a preset is fixed until the filters change, so that the list does not move.
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
