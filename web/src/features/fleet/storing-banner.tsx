import { useQuery } from '@tanstack/react-query'
import { readStoringPaused, storingQuery } from '../../api/storing.ts'
import { formatTime } from '../../format/time.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import * as words from '../../words/messages.js'

/**
 * React component: banner that says that the hub stores no samples now, with the reason and since when. It is empty while the hub stores
 * samples. The page renders it only while a system is stale and none is up.
 */
export function StoringBanner() {
  const formats = useFormats()
  const { data } = useQuery(storingQuery)
  const paused = readStoringPaused(data)
  return (
    <output className="block">
      {paused && (
        <span className="mb-3 block rounded-card border border-warn-fill bg-warn-soft px-4 py-3">
          {(paused.reason === 'full' ? words.storing_full : words.storing_away)({
            since: paused.sinceMs === undefined ? '–' : formatTime(paused.sinceMs, 'dayAndTime', formats),
          })}
        </span>
      )}
    </output>
  )
}
