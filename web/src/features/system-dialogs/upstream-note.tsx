import { useQuery } from '@tanstack/react-query'
import { upstreamsQuery, type Upstream } from '../../api/upstreams.ts'
import * as words from '../../words/messages.js'

/**
 * React component: note in the alert sheet about systems on which this one depends (tags `behind=NAME`), whose outage silences its alerts.
 * It says which names have no effect, and why. Renders nothing without such a tag.
 */
export function UpstreamNote({ systemId }: { systemId: string }) {
  const { data = [] } = useQuery(upstreamsQuery(systemId))
  if (data.length === 0) return null
  return (
    <ul className="flex flex-col gap-1 text-note text-muted">
      {data.map((upstream) => (
        <li key={upstream.name} className="wrap-anywhere">
          {sentenceOf(upstream)}
        </li>
      ))}
    </ul>
  )
}

function sentenceOf({ name, problem }: Upstream): string {
  if (problem === 'unknown') return words.upstream_unknown({ name })
  return problem === 'circle' ? words.upstream_circle({ name }) : words.upstream_silences({ name })
}
