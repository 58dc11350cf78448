import type { Page } from 'playwright-core'
import { nextDrawing, startBenchPages, type BenchPages } from '../bench-pages.ts'
import { LONG_TASK_MS, longestTaskOf } from '../page-tasks.ts'
import type { Figure, Row } from '../row.ts'

const SYSTEMS = 5_000
/**
 * Texts, as in the page's URL, of the ways to group the dashboard's list of systems in this benchmark. The tag `env` gives 3 large groups,
 * the tag `site` 40; with `tag`, each system is in 3 groups.
 */
const groupings = ['key:env', 'key:site', 'tag'] as const
const WHEELS = 40
const WHEEL_PIXELS = 900
const FOLDS = 3
const FILTER = 'status:up bench-01'
const CHANGED = 60
const AT_ONCE = 20
/**
 * Name, `a-changed`, that the benchmark gives to one system as its last change. When the page shows this name, it has received all changes.
 */
const LAST_NAME = 'a-changed'
const RECORDS = '/api/collections/systems/records'

type Listed = { readonly items: readonly { readonly id: string; readonly name: string; readonly info: object }[] }

async function openGrouped(page: Page, grouping: string): Promise<void> {
  await page.goto(`/?group=${encodeURIComponent(grouping)}`)
  await page.getByText('live', { exact: true }).waitFor()
  await page.locator('tbody [aria-expanded]').first().waitFor()
  await page.waitForLoadState('networkidle')
}

async function scroll(page: Page): Promise<void> {
  await page.mouse.move(700, 500)
  for (const pixels of [WHEEL_PIXELS, -WHEEL_PIXELS])
    for (let wheel = 0; wheel < WHEELS; wheel++) {
      await page.mouse.wheel(0, pixels)
      await nextDrawing(page)
    }
  await page.evaluate('scrollTo(0, 0)')
  await nextDrawing(page)
}

/**
 * Collapses and expands the first group of systems on the dashboard page several times, for the benchmark. Resolves when the last change is
 * shown.
 */
async function fold(page: Page): Promise<void> {
  const button = page.locator('tbody [aria-expanded]').first()
  for (let time = 0; time < FOLDS; time++)
    for (const isOpen of ['false', 'true']) {
      await button.click()
      await page.locator(`tbody tr:first-child [aria-expanded=${isOpen}]`).waitFor()
      await nextDrawing(page)
    }
}

async function filter(page: Page): Promise<void> {
  await page.getByRole('searchbox').pressSequentially(FILTER)
  await nextDrawing(page)
  for (const _ of FILTER) await page.keyboard.press('Backspace')
  await nextDrawing(page)
}

/**
 * Changes status and values of many of the benchmark's systems, up to 20 at once. Resolves when the dashboard page shows the last of them.
 */
async function change(pages: BenchPages, page: Page): Promise<void> {
  const { items } = (await pages.send('GET', `${RECORDS}?perPage=${CHANGED}&sort=name`)) as Listed // a page of records
  for (let first = 0; first < items.length; first += AT_ONCE) {
    const part = items.slice(first, first + AT_ONCE)
    await Promise.all(
      part.map(({ id, info }) => pages.send('PATCH', `${RECORDS}/${id}`, { status: 'down', info: { ...info, cpu: 98.5, at: Date.now() } })),
    )
  }
  // Sorted first in the first group.
  await pages.send('PATCH', `${RECORDS}/${items[0]?.id}`, { name: LAST_NAME })
  await page.getByRole('link', { name: LAST_NAME, exact: true }).waitFor()
  await nextDrawing(page)
}

async function measureGrouping(pages: BenchPages, grouping: string): Promise<readonly Figure[]> {
  const { page } = await pages.openPage()
  const acts: readonly (readonly [string, () => Promise<void>])[] = [
    ['the first load', () => openGrouped(page, grouping)],
    ['scrolling', () => scroll(page)],
    ['collapsing and expanding', () => fold(page)],
    ['typing a filter and taking it back', () => filter(page)],
  ]
  const figures: Figure[] = []
  for (const [name, act] of acts)
    figures.push({ name: `${grouping}: longest task of ${name}`, value: await longestTaskOf(page, act), unit: 'ms', bar: LONG_TASK_MS })
  await page.close()
  return figures
}

async function groupedSystems(): Promise<readonly Figure[]> {
  await using pages = await startBenchPages({ systems: SYSTEMS, isFilled: true })
  const figures: Figure[] = []
  for (const grouping of groupings) figures.push(...(await measureGrouping(pages, grouping)))
  const { page } = await pages.openPage()
  await openGrouped(page, 'key:site')
  const changes = await longestTaskOf(page, () => change(pages, page))
  return [...figures, { name: `key:site: longest task while ${CHANGED} systems change`, value: changes, unit: 'ms', bar: LONG_TASK_MS }]
}

export const groupedFleet: Row = {
  id: 'W6',
  what: `All Systems with ${SYSTEMS} systems in groups in a browser: CPU time of the longest task`,
  measure: groupedSystems,
}
