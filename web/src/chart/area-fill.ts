import { faint } from './chart-colours.ts'
import { hatchOf, TILE_PIXELS } from './patterns.ts'

/**
 * Opacity of the area under a chart line (`area`), and of the hatch strokes drawn in that area (`hatch`). Both are percentages, 0 to 100,
 * of the line's colour.
 */
export type FillStrength = { readonly area: number; readonly hatch: number }

const fillCache = new Map<string, CanvasPattern | string>()

/**
 * Returns the canvas fill style for the area under a chart line: a translucent colour, with a hatch over it for pattern numbers above 0. It
 * is cached by colour, pattern, opacities and the screen's pixel ratio.
 */
export function areaFill(context: CanvasRenderingContext2D, colour: string, pattern: number, { area, hatch }: FillStrength) {
  const key = `${colour} ${pattern} ${area} ${hatch} ${devicePixelRatio}`
  const known = fillCache.get(key)
  if (known !== undefined) return known
  const fill =
    hatchOf(pattern) === '' ? faint(colour, area) : hatched(context, hatchOf(pattern), faint(colour, area / 2), faint(colour, hatch))
  fillCache.set(key, fill)
  return fill
}

/**
 * Creates a hatch pattern for a canvas fill: the SVG path `hatch` of one tile in the colour `stroke`, over the colour `ground`. Returns
 * just `ground` when the browser cannot create a pattern.
 */
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
