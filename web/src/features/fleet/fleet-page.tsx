import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react'
import type { AlertRule } from '../../api/alert-record.ts'
import type { SignedInUser } from '../../api/client.ts'
import { followFleet } from '../../api/live.ts'
import { alertsQuery, systemsQuery } from '../../api/queries.ts'
import { countHealths, isEverySystemStale } from '../../api/system-health.ts'
import { systemAddresses } from '../../api/system-address.ts'
import type { System } from '../../api/system-record.ts'
import { LoadedPart } from '../../navigation/loaded-part.tsx'
import { Awaited } from '../../ui/awaited.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { Optional } from '../../ui/optional.tsx'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import { useNow } from '../../ui/use-now.ts'
import { usePageTitle } from '../../ui/use-page-title.ts'
import * as words from '../../words/messages.js'
import { FleetFooter } from './fleet-footer.tsx'
import { FleetHeading } from './fleet-heading.tsx'
import { filterSystems, hasNotePart, type MatchesNote } from './fleet-filter.ts'
import { flatLines, type FleetLine, type GroupLine } from './fleet-lines.ts'
import { alertNamesOf, columnsWithData, parseSort, sortSystems, sortText } from './fleet-model.ts'
import { FleetSkeleton } from './fleet-skeleton.tsx'
import { FleetTable } from './fleet-table.tsx'
import { GroupButton } from './group-button.tsx'
import { groupingText } from './grouping.ts'
import type { OpenRowDialog } from './row-dialog.ts'
import { onSelectionChange, selectedIds } from './selection.ts'
import { useFleetView, type FleetView } from './use-fleet-view.ts'
import { ViewsButton } from './views-button.tsx'

const StoringBanner = onDemand(async () => (await import('./storing-banner.tsx')).StoringBanner)
const SelectionBar = onDemand(async () => (await import('./selection-bar.tsx')).SelectionBar)
const FleetCards = onDemand(async () => (await import('./fleet-cards.tsx')).FleetCards, FleetSkeleton)
const GroupedRows = onDemand(async () => (await import('./grouped-rows.tsx')).GroupedRows, FleetSkeleton)
const NotedRows = onDemand(async () => (await import('./noted-rows.tsx')).NotedRows, FleetSkeleton)
const NoSystems = onDemand(async () => (await import('./empty-fleet.tsx')).NoSystems, FleetSkeleton)
const NoMatch = onDemand(async () => (await import('./empty-fleet.tsx')).NoMatch)
const FiringBanner = onDemand(async () => (await import('./firing-banner.tsx')).FiringBanner)

/** Interval in ms, 5 s, at which the page All Systems updates the ages of samples and detects stale systems. */
const AGE_INTERVAL_MS = 5_000

const noSystems: readonly System[] = []

type FleetPageProps = { user: SignedInUser; onAddSystem: () => void; onDialog: OpenRowDialog }

export function FleetPage({ user, onAddSystem, onDialog }: FleetPageProps) {
  usePageTitle(words.title_dashboard())
  // Before the lists are fetched, so that they are fetched once.
  useEffect(followFleet, [])
  const fetched = useQuery(systemsQuery)
  // Thousands of systems must not block the page, neither the first list nor events.
  const query = { ...fetched, data: useDeferredValue(fetched.data) }
  const { data: alerts } = useQuery(alertsQuery)
  const now = useNow(AGE_INTERVAL_MS)
  const view = useFleetView()
  const mayChange = user.role !== 'readonly'
  const systems = query.data
  const counts = useMemo(() => systems && countHealths(systems, now), [systems, now])

  return (
    <main className="mx-auto flex w-full max-w-(--page-width) flex-1 flex-col px-6 pb-10 max-sm:px-3">
      <FleetHeading counts={counts} filter={view.filter} onFilter={view.setFilter}>
        <GroupButton systems={systems ?? noSystems} grouping={view.grouping} onGrouping={view.setGrouping} />
        <ViewsButton view={view} user={user} />
      </FleetHeading>
      <Banners isEverySystemStale={isEverySystemStale(counts)} hasAlerts={alerts !== undefined && alerts.length > 0} />
      <Awaited
        query={query}
        skeleton={<FleetSkeleton />}
        failure={words.systems_failed()}
        isEmpty={({ length }) => length === 0}
        empty={
          <LoadedPart>
            <NoSystems onAddSystem={mayChange ? onAddSystem : undefined} />
          </LoadedPart>
        }
      >
        {(all) => <FleetRows systems={all} alerts={alerts} now={now} view={view} mayChange={mayChange} onDialog={onDialog} />}
      </Awaited>
      <FleetFooter />
    </main>
  )
}

/**
 * React component: banners above the list of systems. If `isEverySystemStale`, one says when the hub stores no samples. If `hasAlerts` (the
 * user has alert rules), another shows firing alerts.
 */
const Banners = (props: { isEverySystemStale: boolean; hasAlerts: boolean }) => (
  <>
    {props.isEverySystemStale && (
      <Optional>
        <StoringBanner />
      </Optional>
    )}
    {props.hasAlerts && (
      <Optional>
        <FiringBanner />
      </Optional>
    )}
  </>
)

type FoundRowsProps = {
  filter: string
  /**
   * Function that returns whether a system matches a filter condition about notes or admin-defined fields, such as `rack:7`; absent until
   * these are loaded.
   */
  matchesNote?: MatchesNote
  systems: readonly System[]
  alerts: readonly AlertRule[] | undefined
  now: number
  view: FleetView
  mayChange: boolean
  onDialog: OpenRowDialog
}

/**
 * React component: list of the systems that match the filter of All Systems, as table or cards. For a filter by notes or admin-defined
 * fields, such as `rack:7`, it first loads these.
 */
function FleetRows(shown: Omit<FoundRowsProps, 'filter'>) {
  const props = { ...shown, now: useDeferredValue(shown.now) }
  const filter = useDeferredValue(props.view.filter)
  if (!hasNotePart(filter)) return <FoundRows {...props} filter={filter} />
  return (
    <LoadedPart>
      <NotedRows>{(matchesNote) => <FoundRows {...props} filter={filter} matchesNote={matchesNote} />}</NotedRows>
    </LoadedPart>
  )
}

function FoundRows({ systems, alerts, now, view, filter, matchesNote, mayChange, onDialog }: FoundRowsProps) {
  const isPhone = useMediaQuery('(width < 40rem)')
  // Rendering many new rows must not block the page.
  const sortKey = useDeferredValue(sortText(view.sort))
  const groupKey = useDeferredValue(groupingText(view.grouping))
  const sort = useMemo(() => parseSort(sortKey), [sortKey])
  const shown = useMemo(
    () => sortSystems(filterSystems(systems, filter, now, matchesNote), sort, now),
    [systems, filter, sort, now, matchesNote],
  )
  const columns = useMemo(() => columnsWithData(systems), [systems])
  const alertNames = useMemo(() => alertNamesOf(alerts ?? []), [alerts])
  const addressOf = useMemo(() => systemAddresses(systems), [systems])
  const list = (lines: readonly FleetLine[], renderHeading?: (line: GroupLine) => ReactNode) => {
    const rows = { lines, alertNames, addressOf, now, mayChange, onDialog, ...(renderHeading && { renderHeading }) }
    return isPhone ? <FleetCards {...rows} /> : <FleetTable {...rows} columns={columns} sort={sort} onPressColumn={view.pressColumn} />
  }
  return (
    <>
      {shown.length === 0 ? (
        <LoadedPart>
          <NoMatch systems={systems} filter={filter} />
        </LoadedPart>
      ) : groupKey === 'none' ? (
        list(flatLines(shown))
      ) : (
        <LoadedPart>
          <GroupedRows systems={shown} grouping={groupKey} hasAlerts={alertNames.size > 0} now={now} renderList={list} />
        </LoadedPart>
      )}
      {mayChange && <Selection systems={shown} />}
    </>
  )
}

/**
 * React component: toolbar with actions on the selected systems. Its code is loaded when the first system is selected; it then stays
 * mounted, for actions that are still running.
 */
function Selection({ systems }: { systems: readonly System[] }) {
  const hasTicks = useSyncExternalStore(onSelectionChange, () => selectedIds().size > 0)
  const [isWanted, setWanted] = useState(false)
  if (hasTicks && !isWanted) setWanted(true)
  return (
    isWanted && (
      <Optional>
        <SelectionBar systems={systems} />
      </Optional>
    )
  )
}
