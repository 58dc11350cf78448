import { shownPreferences } from '../preferences/preferences.ts'
import { createCrosshair } from './crosshair.ts'
import type { ChartDrawing } from './chart-drawing.ts'
import { layoutOf } from './drawing-layout.ts'
import { showIn } from './plot-lines.ts'
import { createPlot, hasMadePlot } from './standing-plot.ts'

const WIDTH_PIXELS = 400
const HOUR_MS = 3_600_000
const ignore = (): void => undefined

/** Example data of the chart that `warmUpCharts` draws off-screen: a line with a filled area and a band between minimum and maximum. */
const drawing: ChartDrawing = {
  unit: 'percent',
  times: [0, HOUR_MS / 2, HOUR_MS],
  lines: [
    {
      key: '',
      label: '',
      colour: '--series-1',
      style: { pattern: 0, isFilled: true },
      values: [0, 50, 12.5],
      extremes: { minimum: [0, 1, 2], maximum: [1, 99, 100] },
    },
  ],
  isStacked: false,
  top: 100,
  startsAtZero: true,
}

/**
 * Renders one chart off-screen, synchronously. Call it while the page waits for its data, because a page's first chart is slow: code is
 * compiled and fonts are loaded. Does nothing once a chart was created.
 */
export function warmUpCharts(): void {
  if (hasMadePlot()) return
  const { axis } = layoutOf(drawing)
  const state = { drawing, axis, window: { fromMs: 0, toMs: HOUR_MS }, detail: 'time', formats: shownPreferences().formats } as const
  const reading = {
    state,
    crosshair: createCrosshair(),
    onZoom: ignore,
    onZoomOut: ignore,
    onPan: ignore,
    onPinch: ignore,
    onTouch: ignore,
    isPinned: () => false,
  }
  const plot = createPlot(
    WIDTH_PIXELS,
    () => reading,
    () => [],
  )
  showIn(plot, () => state)
  plot.destroy()
}
