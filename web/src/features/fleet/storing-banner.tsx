import { useQuery } from '@tanstack/react-query'
import { storingKey } from '../../api/queries.ts'
import { fetchStoring, readStoringPaused } from '../../api/storing.ts'
import { formatTime } from '../../format/time.ts'
import * as words from '../../words/messages.js'

const ASK_EVERY_MS = 15_000

/** Says that the hub stores no samples, and since when. Shown only while no system has new ones. */
export function StoringBanner() {
  const { data } = useQuery({ queryKey: storingKey, queryFn: ({ signal }) => fetchStoring(signal), refetchInterval: ASK_EVERY_MS })
  const paused = readStoringPaused(data)
  return (
    <output className="block">
      {paused && (
        <span className="mb-3 block rounded-card border border-warn-fill bg-warn-soft px-4 py-3">
          {(paused.reason === 'full' ? words.storing_full : words.storing_away)({
            since: paused.sinceMs === undefined ? '–' : formatTime(paused.sinceMs, 'dayAndTime'),
          })}
        </span>
      )}
    </output>
  )
}
