let measured: CanvasRenderingContext2D | null | undefined

/** The width of a text in a font of CSS, pixels. It is measured on a canvas outside the page, where no styles are worked out for it. */
export function textWidth(text: string, font: string): number {
  measured ??= document.createElement('canvas').getContext('2d')
  if (measured === null) return 0
  measured.font = font
  return measured.measureText(text).width
}
