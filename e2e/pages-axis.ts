import type { Page } from 'playwright-core'

/**
 * JavaScript text for a page that records the texts that the page draws on each canvas after the canvas was cleared. In the page,
 * `textsOn(canvas)` returns them.
 */
const watchTexts = `(() => {
  const { clearRect, fillText } = CanvasRenderingContext2D.prototype
  const texts = new WeakMap()
  window.textsOn = (canvas) => texts.get(canvas) ?? []
  CanvasRenderingContext2D.prototype.clearRect = function (...box) {
    texts.set(this.canvas, [])
    return clearRect.apply(this, box)
  }
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const { width, actualBoundingBoxLeft, actualBoundingBoxRight, actualBoundingBoxAscent, actualBoundingBoxDescent } = this.measureText(text)
    const box = { left: x - actualBoundingBoxLeft, right: x + actualBoundingBoxRight, top: y - actualBoundingBoxAscent, bottom: y + actualBoundingBoxDescent }
    // In place of a label that is left out, nothing is written.
    if (text !== '') texts.get(this.canvas)?.push({ text, x, y, width, box })
    return fillText.call(this, text, x, y)
  }
})()`

/**
 * Makes a browser page of the test record the labels that its charts draw, for {@link timeLabels} and {@link labelledCharts}. Call it, and
 * await it, before the page is opened.
 */
export async function watchAxes(page: Page): Promise<void> {
  await page.addInitScript(watchTexts)
}

export type AxisLabel = { readonly text: string; readonly x: number; readonly width: number }

/** Resolves with the labels (text, x position and width in px) of the time axis of the chart with this title, from left to right. */
export const timeLabels = (page: Page, title: string): Promise<readonly AxisLabel[]> =>
  page.evaluate<readonly AxisLabel[]>(`(() => {
    const texts = textsOn(document.querySelector('[aria-label="${title}"] canvas'))
    const lowest = Math.max(...texts.map(({ y }) => y))
    return texts.filter(({ y }) => y === lowest).toSorted((a, b) => a.x - b.x)
  })()`)

/** Bounding box of a text that was drawn on a canvas, in canvas pixels. */
type Box = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number }

/** Chart as drawn on a page: title, size and all labels with their boxes, in canvas pixels. */
export type LabelledChart = {
  readonly title: string
  readonly size: { readonly width: number; readonly height: number }
  readonly labels: readonly { readonly text: string; readonly box: Box }[]
}

/** Resolves with a list of all charts on a browser page of the test, from top to bottom: title, size and labels of each. */
export const labelledCharts = (page: Page): Promise<readonly LabelledChart[]> =>
  page.evaluate<readonly LabelledChart[]>(`[...document.querySelectorAll('main canvas')].map((canvas) => ({
    title: canvas.closest('section').ariaLabel,
    size: { width: canvas.width, height: canvas.height },
    labels: textsOn(canvas).map(({ text, box }) => ({ text, box })),
  }))`)

/** Minimum gap between two labels of a chart's axis that can be read separately, in canvas pixels at a device pixel ratio of 1. */
const LEAST_GAP_PIXELS = 2

const areApart = (a: Box, b: Box): boolean =>
  a.right + LEAST_GAP_PIXELS <= b.left ||
  b.right + LEAST_GAP_PIXELS <= a.left ||
  a.bottom + LEAST_GAP_PIXELS <= b.top ||
  b.bottom + LEAST_GAP_PIXELS <= a.top

/** Returns one sentence for each label of a chart that is cut by its edges, and one for each two labels that touch. */
export function unreadableLabels({ title, size: { width, height }, labels }: LabelledChart): readonly string[] {
  const cut = labels
    .filter(({ box }) => box.left < 0 || box.right > width || box.top < 0 || box.bottom > height)
    .map(({ text }) => `${title}: "${text}" is cut`)
  const overlapping = labels.flatMap((a, index) =>
    labels
      .slice(index + 1)
      .filter((b) => !areApart(a.box, b.box))
      .map((b) => `${title}: "${a.text}" touches "${b.text}"`),
  )
  return [...cut, ...overlapping]
}
