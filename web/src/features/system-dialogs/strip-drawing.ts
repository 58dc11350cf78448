import type { AlertPreview } from '../../api/alert-preview.ts'
import { svgLine } from '../../chart/svg-line.ts'

type Size = { readonly width: number; readonly height: number }

export type StripDrawing = {
  /** SVG path data (`d`) of the line with the measured values in an alert's preview, interrupted where values are unknown. */
  readonly lines: string
  /** Vertical position, in SVG units, of each threshold of the previewed alert, in the order of the thresholds. */
  readonly thresholdYs: readonly number[]
  /**
   * List with left end `x` and `width`, in SVG units, of each time range in which the previewed alert would have fired. `width` is at least
   * 2.
   */
  readonly marks: readonly { readonly x: number; readonly width: number }[]
}

const LEAST_MARK = 2
/** Space, 4 SVG user units, at the edges of the alert preview's chart, so that a line there is not cut. */
const MARGIN = 4

/**
 * Returns the drawing of an alert rule's preview in SVG units. It has the paths of the values, the positions of the thresholds, and the time
 * ranges in which the alert would have fired. The scale runs from zero to the highest value or threshold, whichever is higher.
 */
export function stripDrawing({ fromMs, toMs, line, episodes }: AlertPreview, thresholds: readonly number[], size: Size): StripDrawing {
  const parts = { from: 0, to: Math.max(1, line.length - 1), leastTop: Math.max(...thresholds), above: MARGIN, below: MARGIN }
  const { line: lines, y } = svgLine([...line.keys()], line, { ...size, ...parts })
  const span = Math.max(1, toMs - fromMs)
  const marks = episodes.map(({ beganMs, endedMs = toMs }) => {
    const began = ((beganMs - fromMs) / span) * size.width
    return { x: round(began), width: round(Math.max(LEAST_MARK, ((endedMs - beganMs) / span) * size.width)) }
  })
  return { lines, thresholdYs: thresholds.map(y), marks }
}

const round = (value: number): number => Math.round(value * 10) / 10
