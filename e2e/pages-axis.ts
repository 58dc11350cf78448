import type { Page } from 'playwright-core'

/** Keeps what is written on each canvas since it was cleared, where it can be read. */
const watchTexts = `(() => {
  const { clearRect, fillText } = CanvasRenderingContext2D.prototype
  const texts = new WeakMap()
  window.textsOn = (canvas) => texts.get(canvas) ?? []
  CanvasRenderingContext2D.prototype.clearRect = function (...box) {
    texts.set(this.canvas, [])
    return clearRect.apply(this, box)
  }
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    texts.get(this.canvas)?.push({ text, x, y, width: this.measureText(text).width })
    return fillText.call(this, text, x, y)
  }
})()`

/** Lets what charts write on their axes be read by {@link timeLabels}; before the page is opened. */
export async function watchAxes(page: Page): Promise<void> {
  await page.addInitScript(watchTexts)
}

export type AxisLabel = { readonly text: string; readonly x: number; readonly width: number }

/** The times below a chart, from left to right. */
export const timeLabels = (page: Page, title: string): Promise<readonly AxisLabel[]> =>
  page.evaluate<readonly AxisLabel[]>(`(() => {
    const texts = textsOn(document.querySelector('[aria-label="${title}"] canvas'))
    const lowest = Math.max(...texts.map(({ y }) => y))
    return texts.filter(({ y }) => y === lowest).toSorted((a, b) => a.x - b.x)
  })()`)
