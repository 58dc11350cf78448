import type { ChartDrawing, ChartLine } from './chart-drawing.ts'
import { PATTERN_COUNT } from './patterns.ts'

type Drawn = Pick<ChartDrawing, 'lines' | 'isStacked' | 'startsAtZero'>

/**
 * Gives each line a pattern of its own, in the order of the lines. Only with more lines than patterns some return, and then lines of one
 * colour still differ as long as there are patterns left. Lines that are hidden or filtered later leave the others as they are.
 */
export function withLineStyles<T extends Drawn>(drawing: T): T {
  const uses = new Map<string, number>()
  const count = (key: string): number => uses.get(key) ?? 0
  const lines = drawing.lines.map((line) => {
    const keyOf = (pattern: number): string => `${line.colour} ${pattern}`
    let pattern = 0
    for (let other = 1; other < PATTERN_COUNT; other++) {
      const more = count(keyOf(pattern)) - count(keyOf(other)) || count(`${pattern}`) - count(`${other}`)
      if (more > 0) pattern = other
    }
    for (const key of [keyOf(pattern), `${pattern}`]) uses.set(key, count(key) + 1)
    return { ...line, style: { pattern, isFilled: isFilled(drawing, line) } }
  })
  return { ...drawing, lines }
}

/** Areas that overlap would mix to colours that no legend has: of several lines on one side of zero only stacked ones have theirs. */
const isFilled = ({ lines, isStacked, startsAtZero }: Drawn, { below = false }: ChartLine): boolean =>
  startsAtZero && (isStacked || lines.filter((line) => (line.below ?? false) === below).length === 1)
