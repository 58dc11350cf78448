import { useEffect, useState } from 'react'
import { follow } from '../../api/live-connection.ts'
import { fetchLogsAfter, type LogItem, type LogsQuery } from './logs.ts'

const MOST_KEPT = 500

/**
 * React hook: while `isOn`, returns the matching log entries written after the first page, newest first, at most 500. `last` is the entry
 * number up to which that page was searched; `undefined` while it is not loaded. Each realtime event about new entries fetches them.
 */
export function useLogTail({ filter, fromMs, toMs }: LogsQuery, last: number | undefined, isOn: boolean): readonly LogItem[] {
  const key = JSON.stringify([filter, fromMs, toMs, last])
  const [tail, setTail] = useState<{ readonly key: string; readonly items: readonly LogItem[] }>({ key, items: [] })
  useEffect(() => {
    if (!isOn || last === undefined) return undefined
    let after = last
    let isAsking = false
    let isBehind = false
    const leaving = new AbortController()
    const ask = async (): Promise<void> => {
      if (isAsking) {
        isBehind = true
        return
      }
      isAsking = true
      do {
        isBehind = false
        // A failed request is repeated after the next event.
        const found = await fetchLogsAfter({ filter, fromMs, toMs }, after, leaving.signal).catch(() => undefined)
        if (leaving.signal.aborted || found === undefined) break
        after = found.last
        if (found.items.length > 0)
          setTail((before) => ({ key, items: [...found.items, ...(before.key === key ? before.items : [])].slice(0, MOST_KEPT) }))
      } while (isBehind)
      isAsking = false
    }
    const stop = follow({ topics: ['logs'], onEvent: () => void ask(), onConnect: () => void ask() })
    return () => {
      leaving.abort()
      stop()
    }
  }, [filter, fromMs, toMs, last, key, isOn])
  return tail.key === key ? tail.items : []
}
