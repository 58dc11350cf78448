import type { AlertPreview } from '../../api/alert-preview.ts'
import { svgLine } from '../../chart/svg-line.ts'

type Size = { readonly width: number; readonly height: number }

export type StripDrawing = {
  /** The measured line as an SVG path; it breaks where nothing is known. */
  readonly lines: string
  readonly thresholdY: number
  /** Where the alert would have been firing; never too narrow to be seen. */
  readonly marks: readonly { readonly x: number; readonly width: number }[]
}

const LEAST_MARK = 2
/** So that a line at the top or the bottom is still seen. */
const MARGIN = 4

/** Everything measured and the threshold, in one picture from zero to the higher of both. */
export function stripDrawing({ fromMs, toMs, line, episodes }: AlertPreview, threshold: number, size: Size): StripDrawing {
  const parts = { from: 0, to: Math.max(1, line.length - 1), leastTop: threshold, above: MARGIN, below: MARGIN }
  const { line: lines, y } = svgLine([...line.keys()], line, { ...size, ...parts })
  const span = Math.max(1, toMs - fromMs)
  const marks = episodes.map(({ beganMs, endedMs = toMs }) => {
    const began = ((beganMs - fromMs) / span) * size.width
    return { x: round(began), width: round(Math.max(LEAST_MARK, ((endedMs - beganMs) / span) * size.width)) }
  })
  return { lines, thresholdY: y(threshold), marks }
}

const round = (value: number): number => Math.round(value * 10) / 10
