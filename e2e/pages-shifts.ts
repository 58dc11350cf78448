import type { Page } from 'playwright-core'

/** JavaScript text for a page that records which elements moved vertically in layout shifts. {@link shiftsOf} returns the record. */
export const watchShifts = `(() => {
  window.moved = []
  const nameOf = (node) => (node instanceof Element ? node.tagName + ' ' + (node.getAttribute('aria-label') ?? node.textContent.slice(0, 40)) : String(node))
  new PerformanceObserver((list) => {
    const sources = list.getEntries().flatMap((entry) => entry.sources)
    moved.push(...sources.filter(({ previousRect, currentRect }) => previousRect.y !== currentRect.y)
      .map(({ node, previousRect, currentRect }) => nameOf(node) + ' from ' + previousRect.y + ' to ' + currentRect.y))
  }).observe({ type: 'layout-shift', buffered: true })
})()`

/**
 * Resolves with one text for each vertical move of a page element since {@link watchShifts} was run in the page. Waits for the next frame.
 */
export const shiftsOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>('new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(moved))))')
