import { faint } from './chart-colours.ts'
import { hatchOf, TILE_PIXELS } from './patterns.ts'

/** How strong an area and the strokes of its hatch are, percent of its colour. */
export type FillStrength = { readonly area: number; readonly hatch: number }

const made = new Map<string, CanvasPattern | string>()

/** The fill of an area on a canvas: a plain colour, or a hatch over a fainter one. */
export function areaFill(context: CanvasRenderingContext2D, colour: string, pattern: number, { area, hatch }: FillStrength) {
  const key = `${colour} ${pattern} ${area} ${hatch} ${devicePixelRatio}`
  const known = made.get(key)
  if (known !== undefined) return known
  const fill =
    hatchOf(pattern) === '' ? faint(colour, area) : hatched(context, hatchOf(pattern), faint(colour, area / 2), faint(colour, hatch))
  made.set(key, fill)
  return fill
}

/** The plain colour where a browser makes no pattern. */
function hatched(context: CanvasRenderingContext2D, hatch: string, ground: string, stroke: string): CanvasPattern | string {
  const tile = document.createElement('canvas')
  const side = Math.round(TILE_PIXELS * devicePixelRatio)
  tile.width = side
  tile.height = side
  const drawn = tile.getContext('2d')
  if (drawn === null) return ground
  drawn.fillStyle = ground
  drawn.fillRect(0, 0, side, side)
  drawn.scale(side / TILE_PIXELS, side / TILE_PIXELS)
  drawn.strokeStyle = stroke
  drawn.stroke(new Path2D(hatch))
  return context.createPattern(tile, 'repeat') ?? ground
}
