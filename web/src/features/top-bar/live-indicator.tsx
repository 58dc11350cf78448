import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { systemsQuery } from '../../api/queries.ts'
import { useLiveState } from '../../api/use-live-state.ts'
import { fromBrowserClock } from '../../format/clock.ts'
import { formatAge } from '../../format/duration.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { cn } from '../../ui/cn.ts'
import { useNow } from '../../ui/use-now.ts'
import * as words from '../../words/messages.js'

/**
 * React component: state of the dashboard's realtime connection to the hub in the top bar: live, delayed, connecting, or lost with the age
 * of the shown data.
 */
export function LiveIndicator() {
  const live = useLiveState()
  if (live.kind === 'lost') return <Lost />
  if (live.kind === 'delayed') return <Delayed />
  if (live.kind === 'idle') return null
  const isLive = live.kind === 'live'
  return (
    <output className="flex items-center gap-1.5 px-1.5 text-note text-muted">
      <span className={cn('size-2 rounded-full', isLive ? 'bg-ok-fill' : 'border border-faint')} />
      <span className="max-sm:sr-only">{isLive ? words.live() : words.connecting()}</span>
    </output>
  )
}

const Delayed = () => (
  <Warning text={words.live_delayed()}>
    <span className="truncate max-lg:sr-only">{words.live_delayed_about()}</span>
  </Warning>
)

function Warning({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <output className="flex min-w-0 items-center gap-1.5 px-1.5 text-note text-warn max-sm:-mx-2 max-sm:gap-1 max-sm:px-0 max-sm:text-tiny">
      <span className="size-2 shrink-0 rounded-full bg-warn-fill" />
      <span className="truncate">{text}</span>
      {children}
    </output>
  )
}

function Lost() {
  const now = useNow(1_000)
  const formats = useFormats()
  const { dataUpdatedAt } = useQuery({ ...systemsQuery, enabled: false })
  return (
    <Warning text={words.reconnecting()}>
      {/* A separate element without a role, so that screen readers do not announce every second. */}
      {dataUpdatedAt > 0 && (
        <span aria-hidden="true" className="truncate max-sm:hidden">
          {words.last_update({ age: formatAge(now - fromBrowserClock(dataUpdatedAt), formats) })}
        </span>
      )}
    </Warning>
  )
}
