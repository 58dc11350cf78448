import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useRef } from 'react'
import { driveHistoryQuery } from '../../../api/drive-history.ts'
import type { Drive } from '../../../api/inventory.ts'
import { messageOf } from '../../../api/request-failed.ts'
import type { System } from '../../../api/system-record.ts'
import { inChosenUnits } from '../../../chart/chart-drawing.ts'
import { useSeen } from '../../../chart/use-seen.ts'
import { useFormats, useSettings } from '../../../preferences/use-preferences.ts'
import { cn } from '../../../ui/cn.ts'
import * as words from '../../../words/messages.js'
import { ChartCard } from '../chart-card.tsx'
import type { PageCharts } from '../page-charts.ts'
import { useRenewal } from '../use-renewal.ts'
import { Action } from './action.tsx'
import { driveDrawing } from './drive-drawings.ts'

type DriveChartsProps = { system: System; drives: readonly Drive[]; page: PageCharts }

/**
 * React component: charts of temperature and wear of a system's drives in the page's time range. Their data are loaded when they come near
 * the viewport.
 */
export function DriveCharts({ system, drives, page: { span, ...chart } }: DriveChartsProps) {
  const place = useRef<HTMLDivElement>(null)
  const isSeen = useSeen(place)
  const { data, isError, error, refetch } = useQuery({ ...driveHistoryQuery(system.id, span), enabled: isSeen })
  useRenewal(
    { span, sampledAtMs: system.latest.sampledAtMs, isWanted: isSeen },
    useCallback(() => void refetch(), [refetch]),
  )
  const formats = useFormats()
  const { chartColumns } = useSettings()
  const drawings = useMemo(
    () =>
      (['celsius', 'wearPercent'] as const).map((field) => {
        const drawing = data && driveDrawing(data, field, drives)
        return drawing && inChosenUnits(drawing, formats)
      }),
    [data, drives, formats],
  )
  const [temperature, wear] = drawings
  const cards = [
    { id: 'temperature', title: words.chart_drive_temperature(), description: words.chart_drive_readings_about(), drawing: temperature },
    { id: 'wear', title: words.chart_drive_wear(), description: words.chart_drive_wear_about(), drawing: wear },
  ].filter(({ drawing }) => data === undefined || drawing !== undefined)
  if (isError && data === undefined)
    return (
      <output className="mt-3 flex flex-wrap items-center gap-2 text-note text-muted">
        {words.drive_history_failed()} {messageOf(error)}
        <Action onPress={() => void refetch()}>{words.retry()}</Action>
      </output>
    )
  return (
    <div ref={place} className={cn('mt-3.5 grid gap-3.5 max-lg:gap-2.5', chartColumns === 2 && 'lg:grid-cols-2')}>
      {cards.map(({ id, ...card }) => (
        <ChartCard
          key={id}
          system={system.name}
          source="drive-health"
          isWide={chartColumns === 2 && cards.length === 1}
          {...card}
          {...chart}
        />
      ))}
    </div>
  )
}
