import type { Page } from 'playwright-core'

/** Script that records elements that moved vertically without user input (layout shifts). */
export const watchShifts = `(() => {
  window.moved = []
  const nameOf = (node) => (node instanceof Element ? node.tagName + ' ' + (node.getAttribute('aria-label') ?? node.textContent.slice(0, 40)) : String(node))
  new PerformanceObserver((list) => {
    const sources = list.getEntries().flatMap((entry) => entry.sources)
    moved.push(...sources.filter(({ previousRect, currentRect }) => previousRect.y !== currentRect.y)
      .map(({ node, previousRect, currentRect }) => nameOf(node) + ' from ' + previousRect.y + ' to ' + currentRect.y))
  }).observe({ type: 'layout-shift', buffered: true })
})()`

/** Resolves in the next frame with the elements that have moved so far, as texts. */
export const shiftsOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>('new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(moved))))')
