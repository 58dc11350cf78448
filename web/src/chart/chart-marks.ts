import type uPlot from 'uplot'
import { colourOf, faint } from './chart-colours.ts'
import { nearestIndex } from './crosshair.ts'

/**
 * Event that the charts of a page mark, such as a restart or a fired alert. It is at the moment `fromMs`, or with `toMs` a time range, both
 * in epoch ms.
 */
export type ChartMark = {
  readonly fromMs: number
  /** End, in epoch ms, of the time range that charts mark; absent when the marked event is a moment, `fromMs`. */
  readonly toMs?: number
  readonly label: string
  /** Name of the CSS custom property with the colour in which charts draw the event mark, such as `--warn`. */
  readonly colour: string
  /** Id of the charts' data source, such as `memory`. The event is marked only on charts of that source; absent = on all charts. */
  readonly source?: string
  /** True when charts mark a preview: a time at which an alert rule that is being edited would have fired. */
  readonly isPreview?: boolean
}

/**
 * Returns those event marks that belong on charts of the data source `source`: marks of that source, and marks without a source. Returns
 * the same array when all do.
 */
export function marksOn(marks: readonly ChartMark[], source: string): readonly ChartMark[] {
  const isOn = (mark: ChartMark): boolean => mark.source === undefined || mark.source === source
  return marks.every(isOn) ? marks : marks.filter(isOn)
}

/**
 * Returns the event marks to name in a tooltip at `times[index]`. These are time ranges that contain that time, and moments to which no
 * other of the times is nearer.
 */
export const marksAt = (marks: readonly ChartMark[], times: readonly number[], index: number): readonly ChartMark[] =>
  marks.filter(({ fromMs, toMs }) => {
    const at = times[index] ?? Number.NaN
    return toMs === undefined ? nearestIndex(times, fromMs) === index : at > fromMs && at < toMs
  })

const STRETCH_PERCENT = 11
const FLAG_PIXELS = 5

/**
 * Draws event marks on a chart's canvas (uPlot) before its lines: a time range as a shaded area of full height, a moment as a dashed line
 * with a flag.
 */
export function drawMarks({ ctx, bbox, valToPos }: Pick<uPlot, 'ctx' | 'bbox' | 'valToPos'>, marks: readonly ChartMark[]): void {
  const [start, end] = [bbox.left, bbox.left + bbox.width]
  ctx.save()
  for (const { fromMs, toMs, colour } of marks) {
    const left = Math.round(valToPos(fromMs, 'x', true))
    const right = toMs === undefined ? left : Math.round(valToPos(toMs, 'x', true))
    if (right < start || left > end) continue
    if (toMs === undefined) drawMoment(ctx, left, bbox, colourOf(colour))
    else {
      ctx.fillStyle = faint(colourOf(colour), STRETCH_PERCENT)
      ctx.fillRect(Math.max(start, left), bbox.top, Math.min(end, right) - Math.max(start, left), bbox.height)
    }
  }
  ctx.restore()
}

function drawMoment(ctx: CanvasRenderingContext2D, x: number, { top, height }: uPlot.BBox, colour: string): void {
  const flag = FLAG_PIXELS * devicePixelRatio
  ctx.strokeStyle = colour
  ctx.fillStyle = colour
  ctx.lineWidth = devicePixelRatio
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio])
  ctx.beginPath()
  ctx.moveTo(x, top)
  ctx.lineTo(x, top + height)
  ctx.stroke()
  ctx.beginPath()
  ctx.moveTo(x - flag, top)
  ctx.lineTo(x + flag, top)
  ctx.lineTo(x, top + flag)
  ctx.fill()
}
