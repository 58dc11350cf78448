import { useMemo, useRef, useState } from 'react'
import type { System } from '../../../api/system-record.ts'
import { useSeen } from '../../../chart/use-seen.ts'
import { useFormats, useSettings } from '../../../preferences/use-preferences.ts'
import { cn } from '../../../ui/cn.ts'
import * as words from '../../../words/messages.js'
import { ChartCard } from '../chart-card.tsx'
import { FailedCharts } from '../failed-charts.tsx'
import { HappeningsList } from '../happenings-list.tsx'
import type { PageCharts } from '../page-charts.ts'
import { moreSets, type MoreSet } from './more-sets.ts'
import { useHistory } from './use-history.ts'

type MoreChartsProps = { system: System } & PageCharts

/**
 * React component: lower part of a system's page: list of events, and groups of further charts. The charts' data are loaded when they come
 * near the viewport.
 */
export const MoreCharts = (props: MoreChartsProps) => (
  <>
    <HappeningsList marks={props.marks} />
    <Sets {...props} />
  </>
)

function Sets({ system, span, ...chart }: MoreChartsProps) {
  const place = useRef<HTMLDivElement>(null)
  const isSeen = useSeen(place)
  const more = useHistory(system, span, isSeen)
  const frames = more.state === 'ready' ? more.frames : undefined
  const formats = useFormats()
  const sets = useKept(useMemo(() => (frames === undefined ? undefined : moreSets(frames, formats)), [frames, formats]))
  const { chartColumns } = useSettings()
  const isLoading = more.state === 'loading'
  return (
    <div ref={place} className="min-h-24">
      <FailedCharts set={more} message={words.more_failed()} className="mt-6" />
      {sets.map(({ id, title, charts }) => (
        <section key={id} aria-label={title} aria-busy={isLoading} className="mt-7">
          <h2 className="mb-2.5 text-body font-semibold text-muted">{title}</h2>
          <div className={cn('grid gap-(--card-space) max-lg:gap-[min(10px,var(--card-space))]', chartColumns === 2 && 'lg:grid-cols-2')}>
            {charts.map((one, index) => (
              <ChartCard
                key={one.id}
                system={system.name}
                title={one.title}
                description={one.description}
                source={one.source}
                // The last chart of an odd number spans the row.
                isWide={chartColumns === 2 && charts.length % 2 === 1 && index === charts.length - 1}
                drawing={isLoading ? undefined : one.drawing}
                {...chart}
              />
            ))}
          </div>
        </section>
      ))}
    </div>
  )
}

/**
 * React hook: returns the given groups of charts. While they are `undefined` (another time range loads), it returns the previous ones, so
 * that the charts' cards stay in place.
 */
function useKept(sets: readonly MoreSet[] | undefined): readonly MoreSet[] {
  const [kept, setKept] = useState<readonly MoreSet[]>([])
  if (sets !== undefined && sets !== kept) setKept(sets)
  return sets ?? kept
}
