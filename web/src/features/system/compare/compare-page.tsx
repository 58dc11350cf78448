import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { Link } from 'wouter'
import { followFleet } from '../../../api/live.ts'
import { systemsQuery } from '../../../api/queries.ts'
import { ranges } from '../../../api/ranges.ts'
import { messageOf } from '../../../api/request-failed.ts'
import { systemAddresses } from '../../../api/system-address.ts'
import type { System } from '../../../api/system-record.ts'
import { inChosenUnits } from '../../../chart/chart-drawing.ts'
import { createCrosshair } from '../../../chart/crosshair.ts'
import { seriesColour } from '../../../chart/series-colour.ts'
import { clockNow } from '../../../format/clock.ts'
import { LoadedPart } from '../../../navigation/loaded-part.tsx'
import { useDialog } from '../../../navigation/use-dialog.ts'
import { useSearchValues } from '../../../navigation/use-search-values.ts'
import { paths } from '../../../paths.ts'
import { useFormats } from '../../../preferences/use-preferences.ts'
import { Awaited } from '../../../ui/awaited.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { onDemand } from '../../../ui/on-demand.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { usePageTitle } from '../../../ui/use-page-title.ts'
import * as words from '../../../words/messages.js'
import { ChartCard } from '../chart-card.tsx'
import { rangeNames } from '../range-names.ts'
import { useSpan } from '../use-span.ts'
import { compareFields, type EarlierOffset } from './compare-address.ts'
import { comparedDrawing } from './compared-drawing.ts'
import { earlierParts } from './earlier-parts.ts'
import { metricIds, metrics } from './metrics.ts'
import { useCompared } from './use-compared.ts'

const ChooseSystemsDialog = onDemand(async () => (await import('./choose-systems-dialog.tsx')).ChooseSystemsDialog)

/**
 * React component: page that compares one metric, such as CPU usage, across selected systems in one chart. Optionally each has a second
 * line for the same hours a day or week before.
 */
export function ComparePage() {
  usePageTitle(words.compare())
  useEffect(followFleet, [])
  const systems = useQuery(systemsQuery)
  return (
    <main className="mx-auto flex w-full max-w-(--page-width) flex-1 flex-col gap-3.5 px-6 pb-10 max-sm:px-3">
      <Awaited query={systems} isPage failure={words.systems_failed()} skeleton={<Spinner label={words.loading()} />}>
        {(all) => <Comparison systems={all} />}
      </Awaited>
    </main>
  )
}

function Comparison({ systems }: { systems: readonly System[] }) {
  const { values, change } = useSearchValues(compareFields)
  const { dialog, open, close } = useDialog()
  const { span, setSpan, zoomTo, zoomOut } = useSpan()
  const [crosshair] = useState(createCrosshair)
  const chosen = useMemo(() => values.systems.flatMap((id) => systems.find((one) => one.id === id) ?? []), [systems, values.systems])
  const metric = metrics[values.metric]
  const wanted = useMemo(() => wantedOf(chosen, values.beside), [chosen, values.beside])
  const formats = useFormats()
  const { timeZone } = formats
  const { frames, isLoading, error, retry } = useCompared(wanted, metric, span, timeZone)
  const window = useMemo(() => {
    if (span.kind === 'window') return span.window
    const toMs = Math.max(...frames.flatMap((frame, at) => (frame && wanted[at]?.days === 0 ? frame.toMs : [])))
    const endMs = Number.isFinite(toMs) ? toMs : clockNow()
    return { fromMs: endMs - span.range.spanMs, toMs: endMs }
  }, [span, frames, wanted])
  const drawing = useMemo(() => {
    const now = earlierParts(window, 0, timeZone)
    const before = earlierParts(window, daysBackOf(values.beside), timeZone)
    const compared = wanted.flatMap((one, at) => {
      const frame = frames[at]
      return frame === undefined ? [] : [{ ...one, frame, parts: one.days === 0 ? now : before }]
    })
    return inChosenUnits(comparedDrawing(metric, compared, window), formats)
  }, [metric, wanted, frames, values.beside, window, timeZone, formats])

  return (
    <>
      <PageHeader title={words.compare()} description={words.compare_about()}>
        <Button look="primary" aria-haspopup="dialog" onClick={() => open('systems')}>
          {words.compare_choose()}
        </Button>
      </PageHeader>
      <div className="flex flex-wrap items-end gap-3">
        <SelectField
          label={words.compare_metric()}
          className="w-56 max-sm:w-full"
          choices={metricIds.map((id) => ({ value: id, label: metrics[id].title() }))}
          value={values.metric}
          onChange={(next) => change({ metric: next })}
        />
        <SelectField
          label={words.compare_beside()}
          className="w-44 max-sm:w-full"
          choices={besides.map((value) => ({ value, label: besideNames[value]() }))}
          value={values.beside ?? 'none'}
          onChange={(next) => change({ beside: next === 'none' ? undefined : next })}
        />
        <span className="ml-auto flex gap-2 max-sm:w-full">
          {span.kind === 'window' && (
            <Button onClick={zoomOut} className="text-muted">
              <Icon name="back" />
              {words.zoom_out()}
            </Button>
          )}
          <SegmentedControl
            label={words.time_range()}
            segments={ranges.map(({ id }) => ({ value: id, label: id, name: rangeNames[id]() }))}
            value={span.kind === 'range' ? span.range.id : undefined}
            onChange={(id) => {
              const range = ranges.find((one) => one.id === id)
              if (range !== undefined) setSpan({ kind: 'range', range })
            }}
          />
        </span>
      </div>
      {chosen.length === 0 ? (
        <EmptyState title={words.compare_empty()} detail={words.compare_empty_detail()}>
          <Button aria-haspopup="dialog" onClick={() => open('systems')}>
            {words.compare_choose()}
          </Button>
        </EmptyState>
      ) : (
        <>
          <ChosenSystems chosen={chosen} onRemove={(id) => change({ systems: values.systems.filter((one) => one !== id) })} />
          {error !== undefined && (
            <output className="flex flex-wrap items-center gap-2 text-note text-muted">
              {words.compare_failed()} {messageOf(error)}
              <Button onClick={retry}>{words.retry()}</Button>
            </output>
          )}
          <ChartCard
            key={values.metric}
            system={words.compare()}
            title={metric.title()}
            description={metric.description()}
            source={undefined}
            isWide
            isTall
            drawing={isLoading ? undefined : drawing}
            window={window}
            crosshair={crosshair}
            marks={[]}
            onZoom={zoomTo}
            onZoomOut={zoomOut}
          />
        </>
      )}
      {dialog === 'systems' && (
        <LoadedPart>
          <ChooseSystemsDialog
            systems={systems}
            chosen={chosen.map(({ id }) => id)}
            onChoose={(ids) => change({ systems: ids, dialog: '' })}
            onClose={close}
          />
        </LoadedPart>
      )}
    </>
  )
}

/** React component: list of the compared systems, each with a link to its page and a button that calls `onRemove` with the system's id. */
function ChosenSystems({ chosen, onRemove }: { chosen: readonly System[]; onRemove: (id: string) => void }) {
  const { data: systems = [] } = useQuery(systemsQuery)
  const addressOf = systemAddresses(systems)
  return (
    <ul aria-label={words.compare_systems()} className="flex flex-wrap gap-1.5">
      {chosen.map((system) => (
        <li key={system.id} className="flex h-8 max-w-full items-center rounded-control border border-border bg-surface pl-2.5">
          <Link href={paths.system(addressOf(system))} className="min-w-6 truncate leading-8 hover:underline">
            {system.name}
          </Link>
          <Button look="icon" aria-label={words.compare_remove({ name: system.name })} onClick={() => onRemove(system.id)}>
            <Icon name="close" className="size-3.5" />
          </Button>
        </li>
      ))}
    </ul>
  )
}

const daysBack: Readonly<Record<EarlierOffset, number>> = { day: 1, week: 7 }
const daysBackOf = (beside: EarlierOffset | undefined): number => (beside === undefined ? 0 : daysBack[beside])

const besides = ['none', 'day', 'week'] as const
const besideNames: Readonly<Record<(typeof besides)[number], () => string>> = {
  none: words.compare_beside_none,
  day: words.compare_beside_day,
  week: words.compare_beside_week,
}

/**
 * Returns the list of lines that a comparison draws: one for each system, and with `beside` a second one for the earlier day or week. Each
 * has id, label, colour and `days`, by which it lies earlier.
 */
function wantedOf(systems: readonly System[], beside: EarlierOffset | undefined) {
  const now = systems.map(({ id, name }) => ({ systemId: id, key: id, label: name, colour: seriesColour(name), days: 0 }))
  const before =
    beside === undefined
      ? []
      : systems.map(({ id, name }) => ({
          systemId: id,
          key: `${id} ${beside}`,
          label: words.compare_earlier({ name, when: besideNames[beside]() }),
          colour: seriesColour(name),
          days: daysBackOf(beside),
        }))
  return [...now, ...before]
}
