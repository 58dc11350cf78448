let measured: CanvasRenderingContext2D | null | undefined

/** Maximum number of text widths, 1,000, in the cache of `textWidth`; a full cache is cleared. */
const MOST_KEPT = 1000
const widths = new Map<string, number>()

/** Returns the width in px of a text in a CSS font, such as `12px sans-serif`; 0 where the browser has no canvas. It is cached. */
export function textWidth(text: string, font: string): number {
  const key = `${font} ${text}`
  const known = widths.get(key)
  if (known !== undefined) return known
  measured ??= document.createElement('canvas').getContext('2d')
  if (measured === null) return 0
  measured.font = font
  const { width } = measured.measureText(text)
  if (widths.size >= MOST_KEPT) widths.clear()
  widths.set(key, width)
  return width
}
