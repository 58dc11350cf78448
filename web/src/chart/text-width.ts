let measured: CanvasRenderingContext2D | null | undefined

/** The charts of a page have the same times below them. */
const MOST_KEPT = 1000
const widths = new Map<string, number>()

/** The width of a text in a font of CSS, pixels. It is measured on a canvas outside the page, where no styles are worked out for it. */
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
