import type { ChartDrawing, ChartLine } from './chart-drawing.ts'
import { PATTERN_COUNT } from './patterns.ts'

type Drawn = Pick<ChartDrawing, 'lines' | 'isStacked' | 'startsAtZero'>

/**
 * Gives each line a pattern of its own, in the order of the lines. Only with more lines than patterns some return, and then lines of one
 * colour still differ as long as there are patterns left. Lines that are hidden or filtered later leave the others as they are.
 */
export function withLooks<T extends Drawn>(drawing: T): T {
  const used = new Map<string, number[]>()
  const all = noUses()
  const lines = drawing.lines.map((line) => {
    const ofColour = used.get(line.colour) ?? noUses()
    used.set(line.colour, ofColour)
    const pattern = leastUsed(ofColour, all)
    ofColour[pattern] = (ofColour[pattern] ?? 0) + 1
    all[pattern] = (all[pattern] ?? 0) + 1
    return { ...line, look: { pattern, isFilled: isFilled(drawing, line) } }
  })
  return { ...drawing, lines }
}

const noUses = (): number[] => Array.from({ length: PATTERN_COUNT }, () => 0)

function leastUsed(ofColour: readonly number[], all: readonly number[]): number {
  let least = 0
  for (let pattern = 1; pattern < PATTERN_COUNT; pattern++) {
    const here = (ofColour[pattern] ?? 0) - (ofColour[least] ?? 0)
    if (here < 0 || (here === 0 && (all[pattern] ?? 0) < (all[least] ?? 0))) least = pattern
  }
  return least
}

/** Areas that overlap would mix to colours that no legend has: of several lines on one side of zero only stacked ones have theirs. */
const isFilled = ({ lines, isStacked, startsAtZero }: Drawn, { below = false }: ChartLine): boolean =>
  startsAtZero && (isStacked || lines.filter((line) => (line.below ?? false) === below).length === 1)
