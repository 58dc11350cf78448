import type { Page } from 'playwright-core'
import { compareNames } from '../../web/src/format/compare.ts'
import { nextDrawing, median, seenBy, startBenchPages, type BenchPages } from '../bench-pages.ts'
import { machineName } from '../simulated-machine.ts'
import { LONG_TASK_MS, longestTaskOf } from '../page-tasks.ts'
import type { Figure, Row } from '../row.ts'

const SYSTEMS = 1_000
const MANY_SYSTEMS = 5_000
const SORTS = 101
const WHEELS = 40
const WHEEL_PIXELS = 900
const FILTER = 'status:p bench-01'
const SEARCH = 'bench-012'
/**
 * Number of minutes in a day, 1,440. A system's row in the dashboard's table changes once a minute, so this is also the number of its
 * changes a day.
 */
const MINUTES_A_DAY = 1_440
const FOLLOWED = 10
const WARM_UP_MINUTES = 100
const RECORDS = '/api/collections/systems/records'

type Listed = { readonly items: readonly { readonly id: string; readonly name: string }[] }

const listSystems = async (pages: BenchPages, perPage: number): Promise<Listed['items']> =>
  ((await pages.send('GET', `${RECORDS}?perPage=${perPage}&sort=name`)) as Listed).items // a page of records

/** Changes one system at the benchmark's hub. Resolves with the number of rows that then change in the dashboard's table of systems. */
async function rowsChanged(pages: BenchPages, page: Page): Promise<number> {
  const [system] = await listSystems(pages, 1)
  if (system === undefined) throw new Error('There are no systems')
  // The first values add columns, which change every row.
  await pages.send('PATCH', `${RECORDS}/${system.id}`, { info: { cpu: 12.5, u: 60, v: '0.18.8' } })
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: system.name, exact: true }) })
  await row.getByText('12.5 %').waitFor()
  await page.waitForLoadState('networkidle')
  await page.evaluate(`void (() => {
    window.changedRows = new Set()
    new MutationObserver((changes) => changes.forEach(({ target }) => {
      const element = target instanceof Element ? target : target.parentElement
      const row = element && element.closest('tr')
      if (row) changedRows.add(row)
    })).observe(document.querySelector('tbody'), { subtree: true, childList: true, characterData: true, attributes: true })
  })()`)
  await pages.send('PATCH', `${RECORDS}/${system.id}`, { info: { cpu: 73.5, u: 60, v: '0.18.8' } })
  await row.getByText('73.5 %').waitFor()
  await nextDrawing(page)
  return page.evaluate<number>('changedRows.size')
}

async function openFleet(pages: BenchPages): Promise<Page> {
  const { page } = await pages.openPage()
  await page.goto('/')
  await page.getByText('live', { exact: true }).waitFor()
  await page.getByRole('link', { name: machineName(0), exact: true }).waitFor({ state: 'attached' })
  await page.waitForLoadState('networkidle')
  return page
}

/**
 * Measures the CPU time, in ms, of the longest main thread task while scrolling, filtering, sorting and using the command palette, in a list
 * of `systems` systems. Resolves with one figure (measured value) for each.
 */
async function longestTasks(page: Page, systems: number): Promise<readonly Figure[]> {
  await page.mouse.move(700, 500)
  const scroll = await longestTaskOf(page, async () => {
    for (let wheel = 0; wheel < WHEELS; wheel++) {
      await page.mouse.wheel(0, WHEEL_PIXELS)
      await nextDrawing(page)
    }
  })
  await page.evaluate('scrollTo(0, 0)')
  const filter = await longestTaskOf(page, async () => {
    await page.getByRole('searchbox').pressSequentially(FILTER)
    for (const _ of FILTER) await page.keyboard.press('Backspace')
  })
  const sort = await longestTaskOf(page, async () => {
    for (const column of ['System', 'System', 'System', 'CPU', 'CPU', 'CPU']) {
      await page.getByRole('columnheader').getByRole('button', { name: column, exact: true }).click()
      await nextDrawing(page)
    }
  })
  const palette = await longestTaskOf(page, async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.type(SEARCH)
    for (const _ of SEARCH) await page.keyboard.press('Backspace')
    await page.keyboard.press('End')
    await page.keyboard.press('Escape')
  })
  const of = `${systems} systems: processor time of the longest task`
  return [
    { name: `${of} of scrolling`, value: scroll, unit: 'ms', bar: LONG_TASK_MS },
    { name: `${of} of typing a filter and taking it back`, value: filter, unit: 'ms', bar: LONG_TASK_MS },
    { name: `${of} of sorting by name and by CPU`, value: sort, unit: 'ms', bar: LONG_TASK_MS },
    { name: `${of} of the command palette`, value: palette, unit: 'ms', bar: LONG_TASK_MS },
  ]
}

/** Returns the median time in ms of sorting 1,000 system names in Node, with the comparison function of the dashboard. */
function sortingMs(): number {
  const names = Array.from({ length: SYSTEMS }, (_, index) => machineName((index * 389) % SYSTEMS))
  const times = Array.from({ length: SORTS }, () => {
    const startMs = performance.now()
    names.toSorted(compareNames)
    return performance.now() - startMs
  })
  return median(times)
}

async function thousandSystems(): Promise<readonly Figure[]> {
  await using pages = await startBenchPages({ systems: SYSTEMS })
  const page = await openFleet(pages)
  const { shift } = await seenBy(page)
  return [
    { name: 'layout shift of All Systems', value: shift, unit: '', bar: 0.05 },
    ...(await longestTasks(page, SYSTEMS)),
    { name: `sorting ${SYSTEMS} names`, value: sortingMs(), unit: 'ms', bar: 2 },
    { name: 'rows that change when one system does', value: await rowsChanged(pages, page), unit: '', bar: 1 },
  ]
}

async function thousandsOfSystems(): Promise<readonly Figure[]> {
  await using pages = await startBenchPages({ systems: MANY_SYSTEMS })
  return await longestTasks(await openFleet(pages), MANY_SYSTEMS)
}

async function aDayOfUpdates(): Promise<readonly Figure[]> {
  await using pages = await startBenchPages({ systems: FOLLOWED })
  const systems = await listSystems(pages, FOLLOWED)
  const { page, heapMegabytes } = await pages.openPage()
  await page.goto('/')
  await page.getByText('live', { exact: true }).waitFor()
  const tell = async (minute: number) => {
    for (const { id } of systems)
      await pages.send('PATCH', `${RECORDS}/${id}`, { info: { cpu: minute % 100, u: minute * 60, v: '0.18.8' } })
  }
  for (let minute = 0; minute < WARM_UP_MINUTES; minute++) await tell(minute)
  const before = await heapMegabytes()
  for (let minute = 0; minute < MINUTES_A_DAY; minute++) await tell(minute)
  await page
    .getByText(`${((MINUTES_A_DAY - 1) % 100).toFixed(1)} %`)
    .first()
    .waitFor()
  return [
    { name: `memory after a day's updates of ${FOLLOWED} systems, growth`, value: (await heapMegabytes()) - before, unit: 'MB', bar: 5 },
  ]
}

async function onAPhone(): Promise<readonly Figure[]> {
  await using pages = await startBenchPages({ systems: 20, days: 1, containers: 3 })
  const { page } = await pages.openPage({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
  // A system's link fills its whole card, and a label is a part of its checkbox.
  const smallest = `Math.min(...[...document.querySelectorAll('button, a[href], input, [role=slider]')].map((one) => one.closest(one.matches('a') ? 'li[data-health]' : 'label') ?? one).map((one) => one.getBoundingClientRect()).filter(({ width, height }) => width > 1 && height > 1).map(({ width, height }) => Math.min(width, height)))`
  const sideways = 'document.documentElement.scrollWidth - innerWidth'
  await page.goto('/')
  await page.locator('li[data-health]').first().waitFor()
  const row = await page.evaluate<number>(
    `Math.max(...[...document.querySelectorAll('li[data-health]')].map((one) => one.getBoundingClientRect().height))`,
  )
  const targets = [await page.evaluate<number>(smallest)]
  const scrolls = [await page.evaluate<number>(sideways)]
  for (const path of [`/system/${encodeURIComponent(machineName(0))}`, '/settings']) {
    await page.goto(path)
    await page.getByRole('heading').nth(1).waitFor()
    await page.waitForLoadState('networkidle')
    targets.push(await page.evaluate<number>(smallest))
    scrolls.push(await page.evaluate<number>(sideways))
  }
  return [
    { name: 'phone of 360 px: height of a system', value: row, unit: 'px', bar: 96 },
    { name: 'phone: pixels that pages scroll sideways', value: Math.max(...scrolls), unit: 'px', bar: 0 },
    // A bar is a maximum, so the figure is the missing part of the minimum size.
    {
      name: `phone: what the smallest target lacks to 24 px (it has ${Math.min(...targets)})`,
      value: Math.max(0, 24 - Math.min(...targets)),
      unit: 'px',
      bar: 0,
    },
  ]
}

export const fleetPage: Row = {
  id: 'W5',
  what: `All Systems with ${SYSTEMS} and ${MANY_SYSTEMS} systems in a browser, a day's updates, a phone`,
  measure: async () => [...(await thousandSystems()), ...(await thousandsOfSystems()), ...(await aDayOfUpdates()), ...(await onAPhone())],
}
