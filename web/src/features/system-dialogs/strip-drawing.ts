import type { AlertPreview } from '../../api/alert-preview.ts'

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
export function stripDrawing({ fromMs, toMs, line, episodes }: AlertPreview, threshold: number, { width, height }: Size): StripDrawing {
  const highest = Math.max(threshold, ...line.flatMap((value) => value ?? []))
  const y = (value: number): number => round(height - MARGIN - (Math.max(0, value) / (highest || 1)) * (height - 2 * MARGIN))
  const x = (place: number): number => round((place / Math.max(1, line.length - 1)) * width)
  let lines = ''
  line.forEach((value, at) => {
    if (value !== undefined) lines += `${line[at - 1] === undefined ? 'M' : 'L'}${x(at)} ${y(value)}`
  })
  const span = Math.max(1, toMs - fromMs)
  const marks = episodes.map(({ beganMs, endedMs = toMs }) => {
    const began = ((beganMs - fromMs) / span) * width
    return { x: round(began), width: round(Math.max(LEAST_MARK, ((endedMs - beganMs) / span) * width)) }
  })
  return { lines, thresholdY: y(threshold), marks }
}

const round = (value: number): number => Math.round(value * 10) / 10
