import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Sample } from '@vedette/protocol/metrics/sample'
import { machineSample, sshAgent } from '../hub/test/scripted-agent.ts'
import { labelledCharts, unreadableLabels, watchAxes } from './pages-axis.ts'
import { startPagesHub, STEP_MS, waitUntil, type PagesHub, type Session } from './pages-hub.ts'
import { addPastSystem, moments } from './past-samples.ts'
import { richMachine } from './rich-machine.ts'

const MINUTE_MS = 60_000
const LONG = 'a'.repeat(200)
const ARABIC = 'خادم-الويب'

const container = (name: string, index: number, cpuPercent: number) => ({
  name,
  id: index.toString(16).padStart(12, '0'),
  cpuPercent,
  memoryBytes: 1024 ** 2,
  sentBytesPerSecond: 1000,
  receivedBytesPerSecond: 1000,
  health: 'healthy' as const,
  status: 'Up 2 hours',
  image: 'web',
  ports: '',
})

const oddMachine: Sample = {
  ...richMachine,
  load: { oneMinute: 1e15, fiveMinutes: 1e15, fifteenMinutes: 1e15 },
  memory: { totalBytes: 1e15, usedBytes: 9e14, usedPercent: 90 },
  rootDisk: { ...machineSample.rootDisk, inodesTotal: 1e15, inodesUsed: 9e14 },
  temperatures: { [LONG]: -40, [ARABIC]: -12.5 },
  fans: { front: 1e15 },
  containers: [container(LONG, 1, 5), container(ARABIC, 2, 4)],
}
const manyContainers: Sample = {
  ...machineSample,
  containers: Array.from({ length: 2000 }, (_, index) => container(`web-${index}`, index, index % 7)),
}
const bareMachine: Sample = { cpu: { busyPercent: 5 } }

describe('charts of odd values', { timeout: 8 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  let hub: PagesHub
  let admin: Session

  before(async () => {
    hub = made.use(
      await startPagesHub({
        async prepare(stores) {
          const nowMs = Date.now()
          const add = async (name: string, sample: Sample, count: number, status: 'paused' | 'pending' = 'paused') => {
            const { port } = made.use(await sshAgent(stores.key.publicLine, () => sample))
            const samples = moments(nowMs - count * MINUTE_MS, nowMs, MINUTE_MS).map((atMs) => ({ atMs, sample }))
            await addPastSystem(stores, { name, port, status, samples })
          }
          await add('odd', oddMachine, 20, 'pending')
          await add('single', oddMachine, 1)
          await add('many', manyContainers, 3)
          await add('bare', bareMachine, 20)
        },
      }),
    )
    admin = await hub.createAdmin()
  })

  after(() => made.disposeAsync())

  const open = async (name: string, width: number) => {
    const page = await hub.openPage(admin, { viewport: { width, height: 900 } })
    await watchAxes(page)
    await page.goto(`/system/${name}`)
    await page.locator('main canvas').first().waitFor()
    return page
  }
  const drawAll = async (page: Page) => {
    await page.mouse.wheel(0, 20_000)
    await page.getByRole('region', { name: 'Root disk: files', exact: true }).waitFor()
    for (const chart of await page.locator('main section[aria-busy=false]').all()) await chart.scrollIntoViewIfNeeded()
    await waitUntil(
      page,
      `document.querySelectorAll('main [role=slider]').length === document.querySelectorAll('main [role=slider] canvas').length`,
    )
  }

  /** Points at several positions of a chart and checks that the tooltip stays within its card. */
  const staysInCard = async (page: Page, title: string, shares: readonly number[]) => {
    const card = page.getByRole('region', { name: title, exact: true })
    const plot = card.locator('.u-over')
    await plot.scrollIntoViewIfNeeded()
    for (const share of shares) {
      const { width = 0, height = 0 } = (await plot.boundingBox()) ?? {}
      await plot.hover({ position: { x: share * width, y: height / 2 } })
      const tooltip = card.locator('.absolute[aria-hidden=true]')
      await tooltip.waitFor()
      const [outer, inner] = [await card.boundingBox(), await tooltip.boundingBox()]
      assert.ok(outer !== null && inner !== null)
      assert.ok(inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width, `at ${share}: ${JSON.stringify({ outer, inner })}`)
    }
  }

  for (const [name, width] of [
    ['odd', 360],
    ['odd', 1440],
    ['single', 360],
  ] as const) {
    test(`${name}: page with huge and negative values and long names has readable labels and does not overflow, ${width} px`, async () => {
      await using page = await open(name, width)
      await drawAll(page)
      assert.deepEqual((await labelledCharts(page)).flatMap(unreadableLabels), [])
      assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= width)
      const wide = await page.evaluate<string[]>(`[...document.querySelectorAll('main section.card')].flatMap((card) => {
        const { right } = card.getBoundingClientRect()
        return [...card.querySelectorAll('*')].filter((node) => node.getBoundingClientRect().right > right + 1).map((node) => card.ariaLabel + ': ' + node.outerHTML.slice(0, 120))
      })`)
      assert.deepEqual(wide, [])
      const slider = page.getByRole('region', { name: 'Temperature', exact: true }).getByRole('slider')
      await slider.focus()
      await page.keyboard.press('ArrowLeft')
      assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /خادم-الويب -12\.5 °C.* -40 °C/)
      await staysInCard(page, 'Temperature', [0.1, 0.45, 0.52, 0.9])
    })
  }

  test('system without optional readings has its standard charts, and says where data is missing', async () => {
    await using page = await open('bare', 360)
    await page.getByRole('region', { name: 'Total CPU Usage', exact: true }).locator('canvas').waitFor()
    await page.getByRole('region', { name: 'Bandwidth', exact: true }).getByText('No data in this window').waitFor()
  })

  for (const width of [360, 1440]) {
    test(`huge load fits into the header and into All Systems, ${width} px`, async () => {
      await using page = await open('odd', width)
      await page.getByText('load 1000T 1000T 1000T', { exact: true }).waitFor()
      assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= width)
      await page.goto('/')
      await page.getByRole('link', { name: 'odd', exact: true }).waitFor()
      const overflowing = await page.evaluate<string[]>(
        `[...document.querySelectorAll('main td')].filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ textContent }) => textContent)`,
      )
      assert.deepEqual(overflowing, [])
    })
  }

  test('page of 2,000 containers draws, lists and filters them', async () => {
    await using page = await open('many', 1440)
    const card = page.getByRole('region', { name: 'Docker CPU Usage', exact: true })
    await card.locator('canvas').waitFor()
    // The default is 20 containers by name, and the sum of the others.
    await card.getByRole('button', { name: '15 more' }).waitFor()
    await card.getByRole('button', { name: 'All', exact: true }).click()
    await card.getByRole('button', { name: '1994 more' }).waitFor()
    const slider = card.getByRole('slider')
    await slider.focus()
    await page.keyboard.press('ArrowLeft')
    await card.getByText('+1988').waitFor()
    await card.getByRole('button', { name: /show the numbers/ }).click()
    const numbers = card.getByRole('table')
    await numbers.getByRole('cell').first().waitFor()
    assert.ok((await numbers.locator('th, td').count()) < 500)
    assert.equal(await numbers.getAttribute('aria-colcount'), '2001')
    await page.evaluate(`document.querySelector('[aria-label="Docker CPU Usage"] table').parentElement.scrollLeft = 1e9`)
    const last = numbers.locator('th[aria-colindex="2001"]')
    await last.waitFor()
    assert.ok(await last.isVisible())
    await card.getByRole('button', { name: /show the numbers/ }).click()
    await page.getByRole('searchbox', { name: 'Filter containers' }).fill('web-1999')
    await card.getByRole('button', { name: /^web-1999/ }).waitFor()
  })

  test('no page threw an error', () => assert.deepEqual(hub.pageErrors, []))
})
