import { useState } from 'react'
import { formatTime, detailOf } from '../../format/time.ts'
import type { Formats } from '../../format/formats.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import * as words from '../../words/messages.js'
import { nearest, pathOf, roundTop, runsOf } from './health-line.ts'
import type { HealthSign, HealthWindow } from './hub-health.ts'

const colours = ['var(--series-1)', 'var(--series-2)', 'var(--series-3)']

export type HealthChartProps = {
  title: string
  about: string
  lines: readonly { readonly sign: HealthSign; readonly name: string }[]
  format: (value: number, formats: Formats) => string
  isBytes?: boolean
  window: HealthWindow
}

/** One measurement of the hub over time. Its values stand beside the title: the latest, or those under the pointer. */
export function HealthChart({ title, about, lines, format, isBytes = false, window }: HealthChartProps) {
  const formats = useFormats()
  const [share, setShare] = useState<number>()
  const { fromMs, toMs, points } = window
  const values = points.flatMap((point) => lines.flatMap(({ sign }) => point[sign] ?? []))
  const top = roundTop(Math.max(0, ...values), isBytes)
  const at = share === undefined ? points.length - 1 : nearest(window, share)
  const point = at === undefined ? undefined : points[at]
  const told = lines.map(({ sign, name }) => {
    const value = point?.[sign]
    return { sign, name, text: value === undefined ? '–' : format(value, formats) }
  })
  const detail = detailOf(toMs - fromMs)
  const isSpanned = detail === 'time' ? 'dayAndTime' : detail
  return (
    <Card title={title} description={about}>
      <p className="mt-1 flex min-h-10 flex-wrap items-baseline gap-x-4 text-note tabular-nums">
        {told.map(({ sign, name, text }, index) => (
          <span key={sign}>
            {lines.length > 1 && (
              <svg aria-hidden="true" viewBox="0 0 1 1" className="mr-1.5 inline size-2.5">
                <rect width="1" height="1" rx="0.2" fill={colours[index]} />
              </svg>
            )}
            {lines.length > 1 && <span className="text-muted">{name} </span>}
            <span className="font-medium">{text}</span>
          </span>
        ))}
        {point !== undefined && <span className="ml-auto text-small text-muted">{formatTime(point.atMs, 'dayAndTime', formats)}</span>}
      </p>
      {values.length === 0 ? (
        <div className="grid h-28 place-items-center">
          <EmptyState title={words.office_health_none()} detail="" />
        </div>
      ) : (
        <div className="flex h-28 gap-2">
          <div aria-hidden="true" className="flex w-14 shrink-0 flex-col justify-between text-right text-small text-muted tabular-nums">
            <span>{format(top, formats)}</span>
            <span>{format(0, formats)}</span>
          </div>
          <svg
            role="img"
            aria-label={`${title}: ${told.map(({ name, text }) => `${name} ${text}`).join(', ')}. ${words.office_health_most({ value: format(Math.max(...values), formats) })}`}
            viewBox="0 0 1 1"
            preserveAspectRatio="none"
            className="h-full min-w-0 flex-1 touch-pan-y overflow-visible"
            onPointerMove={({ clientX, currentTarget }) => {
              const { left, width } = currentTarget.getBoundingClientRect()
              setShare((clientX - left) / width)
            }}
            onPointerLeave={() => setShare(undefined)}
          >
            <rect width="1" height="1" fill="transparent" />
            {[0, 0.5, 1].map((y) => (
              <line key={y} x2="1" y1={y} y2={y} stroke="var(--border)" vectorEffect="non-scaling-stroke" />
            ))}
            {lines.map(({ sign }, index) =>
              runsOf(window, sign, top).map((run) => (
                <path
                  key={`${sign} ${run[0]?.x ?? 0}`}
                  d={pathOf(run)}
                  fill="none"
                  stroke={colours[index]}
                  strokeWidth={run.length === 1 ? 4 : 1.5}
                  strokeLinecap="round"
                  strokeLinejoin="round"
                  vectorEffect="non-scaling-stroke"
                />
              )),
            )}
            {share !== undefined && point !== undefined && (
              <line
                x1={(point.atMs - fromMs) / (toMs - fromMs)}
                x2={(point.atMs - fromMs) / (toMs - fromMs)}
                y2="1"
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
