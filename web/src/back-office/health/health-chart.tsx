import { useState } from 'react'
import { formatStep } from '../../chart/axis.ts'
import type { ChartUnit } from '../../chart/chart-drawing.ts'
import { nearestIndex } from '../../chart/crosshair.ts'
import { axisFor, extentOf } from '../../chart/drawing-layout.ts'
import type { SeriesFrame } from '../../chart/series-frame.ts'
import { svgLine } from '../../chart/svg-line.ts'
import { lastIndexOf } from '../../chart/tooltip-model.ts'
import { formatTime, detailOf } from '../../format/time.ts'
import type { Formats } from '../../format/formats.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import * as words from '../../words/messages.js'
import type { HealthSign } from './hub-health.ts'

const colours = ['var(--series-1)', 'var(--series-2)', 'var(--series-3)']
const WIDTH = 600
const HEIGHT = 112

export type HealthChartProps = {
  title: string
  about: string
  lines: readonly { readonly sign: HealthSign; readonly name: string }[]
  format: (value: number, formats: Formats) => string
  unit: ChartUnit
  frame: SeriesFrame
}

/**
 * React component: card with a line chart of the hub's own metrics. `lines` selects the metrics, `format` makes the text of a value. Beside
 * the title are the values under the pointer, or the latest ones.
 */
export function HealthChart({ title, about, lines, format, unit, frame }: HealthChartProps) {
  const formats = useFormats()
  const [share, setShare] = useState<number>()
  const { fromMs, toMs, times } = frame
  const drawn = lines.map((line) => ({ ...line, values: frame.series.get(line.sign) ?? [] }))
  const extent = extentOf(drawn.map(({ values }) => values))
  const axis = axisFor({ unit, startsAtZero: true }, extent)
  const box = { width: WIDTH, height: HEIGHT, from: fromMs, to: toMs, leastTop: axis.highest, above: 0, below: 0 }
  const paths = drawn.map(({ values }) => svgLine(times, values, box))
  const steps = axis.steps.map((step) => ({ step, y: paths[0]?.y(step) ?? 0 }))
  const index = share === undefined ? lastIndexOf(drawn, times.length) : nearestIndex(times, fromMs + share * (toMs - fromMs))
  const at = index === undefined ? undefined : times[index]
  const shown = drawn.map(({ sign, name, values }) => {
    const value = index === undefined ? undefined : values[index]
    return { sign, name, text: typeof value === 'number' ? format(value, formats) : '–' }
  })
  const detail = detailOf(toMs - fromMs)
  const isSpanned = detail === 'time' ? 'dayAndTime' : detail
  return (
    <Card title={title} description={about}>
      <p className="mt-1 flex min-h-10 flex-wrap items-baseline gap-x-4 text-note tabular-nums">
        {shown.map(({ sign, name, text }, line) => (
          <span key={sign}>
            {lines.length > 1 && (
              <svg aria-hidden="true" viewBox="0 0 1 1" className="mr-1.5 inline size-2.5">
                <rect width="1" height="1" rx="0.2" fill={colours[line]} />
              </svg>
            )}
            {lines.length > 1 && <span className="text-muted">{name} </span>}
            <span className="font-medium">{text}</span>
          </span>
        ))}
        {at !== undefined && <span className="ml-auto text-small text-muted">{formatTime(at, 'dayAndTime', formats)}</span>}
      </p>
      {extent === undefined ? (
        <div className="grid h-28 place-items-center">
          <EmptyState title={words.office_health_none()} detail="" />
        </div>
      ) : (
        <div className="flex h-28 gap-2">
          <div aria-hidden="true" className="relative w-14 shrink-0 text-right text-small text-muted tabular-nums">
            {steps.map(({ step, y }) => (
              <span key={step} className="absolute right-0 -translate-y-1/2 whitespace-nowrap" style={{ top: y }}>
                {formatStep(step, axis, formats, false)}
              </span>
            ))}
          </div>
          <svg
            role="img"
            aria-label={`${title}: ${shown.map(({ name, text }) => `${name} ${text}`).join(', ')}. ${words.office_health_most({ value: format(extent.highest, formats) })}`}
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            className="h-full min-w-0 flex-1 touch-pan-y overflow-visible"
            onPointerMove={({ clientX, currentTarget }) => {
              const { left, width } = currentTarget.getBoundingClientRect()
              setShare((clientX - left) / width)
            }}
            onPointerLeave={() => setShare(undefined)}
          >
            <rect width={WIDTH} height={HEIGHT} fill="transparent" />
            {steps.map(({ step, y }) => (
              <line key={step} x2={WIDTH} y1={y} y2={y} stroke="var(--border)" vectorEffect="non-scaling-stroke" />
            ))}
            {paths.map(({ line }, index) => (
              <path
                key={drawn[index]?.sign}
                d={line}
                fill="none"
                stroke={colours[index]}
                strokeWidth={1.5}
                strokeLinecap="round"
                strokeLinejoin="round"
                vectorEffect="non-scaling-stroke"
              />
            ))}
            {share !== undefined && at !== undefined && (
              <line
                x1={((at - fromMs) / (toMs - fromMs)) * WIDTH}
                x2={((at - fromMs) / (toMs - fromMs)) * WIDTH}
                y2={HEIGHT}
                stroke="var(--text-muted)"
                vectorEffect="non-scaling-stroke"
              />
            )}
          </svg>
        </div>
      )}
      <p aria-hidden="true" className="mt-1 flex justify-between pl-16 text-small text-muted tabular-nums">
        <span>{formatTime(fromMs, isSpanned, formats)}</span>
        <span>{formatTime(toMs, isSpanned, formats)}</span>
      </p>
    </Card>
  )
}
