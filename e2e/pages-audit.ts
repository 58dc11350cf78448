import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * JavaScript text with options of axe (accessibility checks) that enable the rules of WCAG levels A and AA, best practices and experimental
 * rules.
 */
const allRules = `, runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice', 'experimental']`

/**
 * Object from theme to JavaScript text with options of axe (accessibility checks). The dark theme differs only in colours, so only the
 * rules about colours run there.
 */
const themes = { light: allRules, dark: `, runOnly: ['color-contrast', 'link-in-text-block']` } as const
const widths = [360, 768, 1440] as const
const HEIGHT = 900

// Code for the page is kept as text, because these tests are compiled without browser types.

/**
 * JavaScript text that the test evaluates in a browser page. Its value is a promise that resolves after the page has drawn its last change.
 */
const drawn = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`

/**
 * Returns JavaScript text for a browser page of the test, which runs axe (accessibility checks) after all animations except endless ones
 * have finished. It resolves with one sentence per violation, and one if the page scrolls sideways. The focus guards of open menus are not
 * checked.
 */
const auditScript = (rules: string): string => `(async () => {
  // Elsewhere the bar at the top may cover a part of a button, which axe takes for a small one.
  scrollTo(0, 0)
  const passing = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().iterations !== Infinity)
  // A cancelled animation counts as finished.
  await Promise.allSettled(passing.map(({ finished }) => finished))
  const { violations } = await axe.run({ exclude: ['[data-radix-focus-guard]'] }, { resultTypes: ['violations'], preload: false${rules} })
  const sideways = document.documentElement.scrollWidth - innerWidth
  return [
    ...violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => [id, html.slice(0, 160), failureSummary].join(' '))),
    ...(sideways > 0 ? ['scrolls ' + sideways + ' px sideways'] : []),
  ]
})()`

type Audit = {
  /**
   * Function that brings the page into the state to audit, such as with an open menu; called at each width before the check. Absent: the
   * page is in that state already.
   */
  readonly show?: () => Promise<void>
}

/**
 * Checks the contrast of texts in the light and dark theme at the browser page's current width. Resolves with one sentence per violation,
 * and one per theme in which the page scrolls sideways. The page then shows the light theme.
 */
export async function auditColours(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axeSource)
  const found: string[] = []
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    await page.locator(`html.${theme}`).waitFor()
    found.push(
      ...(await page.evaluate<readonly string[]>(auditScript(`, runOnly: ['color-contrast']`))).map((problem) => `${theme}: ${problem}`),
    )
  }
  return found
}

/**
 * Checks the accessibility of a page in both themes at three widths. Rejects with an assertion error if axe finds a violation or the page
 * scrolls sideways. `what` names the page in the error.
 */
export async function auditPage(page: Page, what: string, { show }: Audit = {}): Promise<void> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axeSource)
  const found: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: HEIGHT })
    await show?.()
    await page.evaluate(drawn)
    await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' })
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme })
      await page.locator(`html.${theme}`).waitFor()
      const problems = await page.evaluate<readonly string[]>(auditScript(themes[theme]))
      found.push(...problems.map((problem) => `${what}, ${theme}, ${width} px: ${problem}`))
    }
  }
  assert.deepEqual(found, [])
}
