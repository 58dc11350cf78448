import type { ChartLine } from './chart-drawing.ts'
import { dashOf, hatchOf, plainStyle, TILE_PIXELS } from './patterns.ts'

const WIDTH = 2.5 * TILE_PIXELS

/** React component: small SVG in a chart's legend or tooltip that shows colour and pattern of the chart line `line`. */
export function Swatch({ line: { colour, style: { pattern, isFilled } = plainStyle } }: { line: ChartLine }) {
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${TILE_PIXELS}`}
      width={WIDTH}
      height={TILE_PIXELS}
      className="shrink-0 fill-none stroke-current"
      style={{ color: `var(${colour})` }}
    >
      {isFilled && <rect width={WIDTH} height={TILE_PIXELS} className="fill-current stroke-none opacity-40" />}
      {isFilled && [0, 1, 2].map((tile) => <path key={tile} d={hatchOf(pattern)} transform={`translate(${tile * TILE_PIXELS})`} />)}
      <path d={`M0 ${isFilled ? 1 : 4}H${WIDTH}`} strokeWidth={2} strokeDasharray={isFilled ? undefined : dashOf(pattern).join()} />
    </svg>
  )
}
