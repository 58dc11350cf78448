import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Sample } from '@vedette/protocol/metrics/sample'
import { machineSample } from '../hub/test/scripted-agent.ts'
import { standingClock } from './clocked-hub.ts'
import { clockedSystem, type ClockedSystem } from './clocked-system.ts'
import { STEP_MS, waitUntil } from './pages-hub.ts'
import { moments } from './past-samples.ts'

const MINUTE_MS = 60_000
/** In the middle of a minute, so that each minute of the test has one sample. */
const NOW_MS = Date.UTC(2026, 9, 20, 12, 0, 30)
const COUNT = 9

/** Containers whose order by use changes every turn. */
const machineAt = (turn: number): Sample => ({
  ...machineSample,
  temperatures: { package: 51, nvme: 38 },
  containers: Array.from({ length: COUNT }, (_, index) => ({
    name: `web-${index}`,
    id: `c0ffee0000${index}`.slice(0, 12),
    cpuPercent: 1 + ((index + turn * 5) % COUNT) * 20,
    memoryBytes: (1 + ((index + turn * 7) % COUNT)) * 1024 ** 2,
    sentBytesPerSecond: 1000,
    receivedBytesPerSecond: 1000 * ((index + turn * 3) % COUNT),
    health: 'healthy' as const,
    status: 'Up 2 hours',
    image: 'web',
    ports: '',
  })),
})

describe('colours of charts', { timeout: 8 * STEP_MS }, () => {
  let scene: ClockedSystem
  let turn = 0

  before(async () => {
    const samples = moments(NOW_MS - 3 * MINUTE_MS, NOW_MS, MINUTE_MS).map((atMs) => ({ atMs, sample: machineAt(0) }))
    scene = await clockedSystem({ clock: standingClock(NOW_MS), sample: () => machineAt(turn), samples })
  })

  after(() => scene[Symbol.asyncDispose]())

  /** The swatch of each line of a chart's legend, by the line's name. */
  const swatches = async (page: Page, title: string): Promise<Readonly<Record<string, string>>> => {
    const card = page.getByRole('region', { name: title, exact: true })
    const more = card.getByRole('button', { name: /more$/ })
    if ((await more.count()) > 0) await more.click()
    const entries = await card
      .locator('button:has(> svg)')
      .filter({ has: page.locator('b') })
      .evaluateAll((buttons) =>
        buttons.map((button) => [button.querySelector('span')?.textContent ?? '', button.querySelector('svg')?.outerHTML ?? '']),
      )
    return Object.fromEntries(entries) as Readonly<Record<string, string>> // a pair each
  }

  const charts = ['Docker CPU Usage', 'Docker Memory Usage', 'Docker Network I/O']

  test('container keeps one colour and pattern in every chart while the order by use changes; charts are not replaced', async () => {
    await using page = await scene.open('/system/gauge')
    const first = await swatches(page, 'Docker CPU Usage')
    assert.equal(Object.keys(first).length, COUNT)
    assert.equal(new Set(Object.values(first)).size, COUNT)
    await page.evaluate(`void (window.before = [...document.querySelectorAll('main canvas')])`)
    const orders = new Set<string>()
    for (turn = 1; turn <= 3; turn++) {
      await scene.passMinute(page)
      const time = `20 Oct, 14:0${turn}`
      await waitUntil(page, `document.querySelector('[aria-label="Docker CPU Usage"] [role=slider]').ariaValueText.startsWith('${time}')`)
      for (const title of charts) assert.deepEqual(await swatches(page, title), first, title)
      orders.add(JSON.stringify(Object.keys(await swatches(page, 'Docker CPU Usage'))))
    }
    assert.ok(orders.size > 1, 'the order of the containers changes')
    assert.deepEqual(await page.evaluate('before.map((canvas) => canvas.isConnected)'), await page.evaluate('before.map(() => true)'))
  })

  test('lines of every chart differ by more than their colours', async () => {
    await using page = await scene.open('/system/gauge')
    for (const title of [...charts, 'Temperature', 'Disk I/O', 'Bandwidth']) {
      const shapes = Object.values(await swatches(page, title)).map((swatch) => swatch.replace(/ style="[^"]*"/, ''))
      assert.ok(shapes.length > 1, title)
      assert.equal(new Set(shapes).size, shapes.length, title)
    }
  })

  test('no page threw an error', () => assert.deepEqual(scene.hub.pageErrors, []))
})
