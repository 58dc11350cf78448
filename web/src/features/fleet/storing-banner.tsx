import { useQuery } from '@tanstack/react-query'
import { fetchStoringPaused } from '../../api/storing.ts'
import { formatTime } from '../../format/time.ts'
import * as words from '../../words/messages.js'

const ASK_EVERY_MS = 15_000

/** Whether it is the hub that keeps nothing of what its systems say. Asked only while nothing new is seen of any. */
export function StoringBanner() {
  // Null, since a query may not answer with nothing.
  const { data } = useQuery({
    queryKey: ['storing'],
    queryFn: async () => (await fetchStoringPaused()) ?? null,
    refetchInterval: ASK_EVERY_MS,
  })
  return (
    <output className="block">
      {data && (
        <span className="mb-3 block rounded-card border border-warn-fill bg-warn-soft px-4 py-3">
          {(data.reason === 'full' ? words.storing_full : words.storing_away)({
            since: data.sinceMs === undefined ? '–' : formatTime(data.sinceMs, 'dayAndTime'),
          })}
        </span>
      )}
    </output>
  )
}
