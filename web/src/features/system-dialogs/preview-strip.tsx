import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { alertLabel, type AlertKind } from '../../api/alert-kinds.ts'
import { alertPreviewQuery, type AlertPreview } from '../../api/alert-preview.ts'
import type { RuleLevels } from '../../api/system-alerts.ts'
import { rulePreviewsQuery } from '../../api/rule-previews.ts'
import type { Formats } from '../../format/formats.ts'
import { formatSpan } from '../../format/span.ts'
import { formatTime } from '../../format/time.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import * as words from '../../words/messages.js'
import { stripDrawing } from './strip-drawing.ts'

type Wish = { readonly value: number; readonly minutes: number }

/** Delay in ms after the last change of a slider before the preview is fetched, 200. */
const REST_MS = 200

const WIDTH = 480
const HEIGHT = 56

type StripProps = { kind: AlertKind; system: string; target: string | undefined; wish: Wish; levels: RuleLevels | undefined }

/**
 * React component: small chart in an alert card that shows when the edited rule would have fired on stored samples, and how often. `wish`
 * has threshold and delay of the rule, `levels` its further thresholds.
 */
export function PreviewStrip({ kind, system, target, wish: { value, minutes }, levels }: StripProps) {
  const formats = useFormats()
  const asked = useDebouncedWish({ value, minutes })
  const { data, isError } = useQuery(alertPreviewQuery({ system, name: kind.name, target, ...asked, levels }))
  usePreviewOnCharts(system, kind, target, data)
  return (
    <div className="flex flex-col gap-1">
      <div className="h-14 rounded-control border border-border bg-sunken">
        {data !== undefined && <Drawing data={data} value={value} warning={levels?.warning} />}
      </div>
      <output className="block min-h-5 text-small text-muted">{isError ? words.preview_failed() : data && summaryOf(data, formats)}</output>
    </div>
  )
}

/**
 * React hook: while its component is mounted, charts of a system's page mark when an edited alert rule would have fired (`data`). Only
 * charts of the alert kind's data source do so.
 */
function usePreviewOnCharts(
  system: string,
  { name, chart: source }: AlertKind,
  target: string | undefined,
  data: AlertPreview | undefined,
): void {
  const client = useQueryClient()
  const id = alertLabel(name, target)
  useEffect(() => {
    if (source === undefined || data === undefined) return undefined
    const episodes = data.episodes.map(({ beganMs, endedMs }) => ({ fromMs: beganMs, toMs: endedMs }))
    client.setQueryData(rulePreviewsQuery(system).queryKey, (before) => ({ ...before, [id]: { source, episodes } }))
    return () =>
      void client.setQueryData(rulePreviewsQuery(system).queryKey, (before = {}) =>
        Object.fromEntries(Object.entries(before).filter(([other]) => other !== id)),
      )
  }, [client, system, id, source, data])
}

type DrawingProps = { data: AlertPreview; value: number; warning: number | undefined }

function Drawing({ data, value, warning }: DrawingProps) {
  const { lines, thresholdYs, marks } = stripDrawing(data, warning === undefined ? [value] : [value, warning], {
    width: WIDTH,
    height: HEIGHT,
  })
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className="size-full" aria-hidden="true">
      {marks.map(({ x, width }) => (
        <rect key={x} x={x} y={0} width={width} height={HEIGHT} fill="var(--crit-fill)" opacity={0.35} />
      ))}
      <path d={lines} fill="none" stroke="var(--series-1)" strokeWidth={1} vectorEffect="non-scaling-stroke" />
      {thresholdYs.map((y, at) => (
        <line
          key={y}
          x1={0}
          x2={WIDTH}
          y1={y}
          y2={y}
          stroke={at === 0 ? 'var(--crit)' : 'var(--warn)'}
          strokeDasharray="4 3"
          strokeWidth={1}
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  )
}

function summaryOf({ fromMs, toMs, minutes, episodes }: AlertPreview, formats: Formats): string {
  if (minutes === 0) return words.preview_nothing_known()
  const span = formatSpan(toMs - fromMs, formats)
  const [last] = episodes.slice(-1)
  if (last === undefined) return words.preview_never({ span })
  const time = formatTime(last.beganMs, 'dayAndTime', formats)
  return words.preview_fired({ count: episodes.length, span, time })
}

/**
 * React hook: returns threshold (`value`) and delay (`minutes`) of an edited alert rule with a lag. New values are returned after they have
 * not changed for 200 ms, so that the preview is not fetched too often.
 */
function useDebouncedWish({ value, minutes }: Wish): Wish {
  const [rested, setRested] = useState<Wish>({ value, minutes })
  useEffect(() => {
    const timer = setTimeout(() => setRested({ value, minutes }), REST_MS)
    return () => clearTimeout(timer)
  }, [value, minutes])
  return rested
}
