import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { machineSample } from '../hub/test/scripted-agent.ts'
import { standingClock } from './clocked-hub.ts'
import { clockedSystem, type ClockedSystem } from './clocked-system.ts'
import { timeLabels } from './pages-axis.ts'
import { STEP_MS, waitUntil } from './pages-hub.ts'
import { moments } from './past-samples.ts'
import { windowButton } from './window-button.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const TITLE = 'Total CPU Usage'
/** 14:15 in Berlin, in the middle of a minute, so that each minute of the test has one sample. */
const NOW_MS = Date.UTC(2026, 9, 20, 12, 15, 30)

const sceneSince = (sinceMs: number): Promise<ClockedSystem> =>
  clockedSystem({
    clock: standingClock(NOW_MS),
    sample: () => machineSample,
    samples: moments(sinceMs, NOW_MS, MINUTE_MS).map((atMs) => ({ atMs, sample: machineSample })),
  })

/** Waits until the newest value of the chart has this index. */
const newest = (page: Page, index: number) =>
  waitUntil(page, `document.querySelector('[aria-label="${TITLE}"] [role=slider]')?.ariaValueMax === '${index}'`)

/** Waits until the crosshair at the newest value is at this share of the plot's width. */
async function endsAtShare(page: Page, share: number): Promise<void> {
  const card = `document.querySelector('[aria-label="${TITLE}"]')`
  await page.getByRole('region', { name: TITLE, exact: true }).getByRole('slider').focus()
  // Ten values on, and so the newest one, wherever the crosshair stands.
  await page.keyboard.press('PageDown')
  await waitUntil(
    page,
    `(() => {
      const [plot, line] = ['.u-over', '.u-cursor-x'].map((one) => ${card}.querySelector(one).getBoundingClientRect())
      return Math.abs((line.left - plot.left) / plot.width - ${share}) < 0.02
    })()`,
  )
}

const since = (page: Page, time: string) => page.getByRole('main').getByText(`Collecting since ${time}`, { exact: true })
const ends = async (page: Page) => (await windowButton(page).textContent()) ?? ''

describe('the first hours of a system', { timeout: 6 * STEP_MS }, () => {
  let scene: ClockedSystem

  before(async () => {
    scene = await sceneSince(NOW_MS - 10 * MINUTE_MS)
  })

  after(async () => {
    assert.deepEqual(scene.hub.pageErrors, [])
    await scene[Symbol.asyncDispose]()
  })

  test('charts of a new system start at its first sample, and the page says since when it collects', async () => {
    await using page = await scene.open('/system/gauge')
    await since(page, '14:05').waitFor()
    assert.match(await ends(page), /^20 Oct, 14:05\s?–\s?14:1[56]$/)
    const labels = (await timeLabels(page, TITLE)).map(({ text }) => text)
    assert.ok(labels.length > 2 && labels.every((text) => /^14:(0[5-9]|1[0-6])$/.test(text)), labels.join(' '))
  })

  test('window grows each minute, and a window that is moved back includes the time before the first sample', async () => {
    await using page = await scene.open('/system/gauge')
    await since(page, '14:05').waitFor()
    const before = await ends(page)
    await scene.passMinute(page)
    await page.getByRole('main').getByText(before, { exact: true }).waitFor({ state: 'detached' })
    assert.match(await ends(page), /^20 Oct, 14:05\s?–\s?14:1[67]$/)
    await page.getByRole('button', { name: 'Earlier' }).click()
    await page
      .getByRole('main')
      .getByRole('button', { name: /^20 Oct, 13:59/ })
      .waitFor()
    await since(page, '14:05').waitFor({ state: 'detached' })
  })

  test('line of a new system grows from the left until it fills the window, which then ends at now', async () => {
    await using added = await sceneSince(NOW_MS)
    await using page = await added.open('/system/gauge')
    await since(page, '14:15').waitFor()
    const first = await ends(page)
    assert.match(first, /^20 Oct, 14:15\s?–\s?14:20$/)
    assert.deepEqual(
      (await timeLabels(page, TITLE)).map(({ text }) => text),
      ['14:16', '14:17', '14:18', '14:19', '14:20'],
    )
    await endsAtShare(page, 0)
    for (const [minute, share] of [
      [1, 0.2],
      [2, 0.4],
    ] as const) {
      await added.passMinute(page)
      await newest(page, minute)
      assert.equal(await ends(page), first)
      await endsAtShare(page, share)
    }
    // A picked window cannot extend into the future.
    await windowButton(page).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.match(page.url(), /from=\d+&to=\d+/)
    await page.goto('/system/gauge')
    await newest(page, 2)
    for (let minute = 3; minute <= 7; minute += 1) {
      await added.passMinute(page)
      await newest(page, minute)
    }
    await page
      .getByRole('main')
      .getByText(/^20 Oct, 14:15\s?–\s?14:2[23]$/)
      .waitFor()
    assert.deepEqual(added.hub.pageErrors, [])
  })

  test('longer range also starts at the first sample; the German page adds the day to a time before today', async () => {
    await using yesterday = await sceneSince(NOW_MS - 15 * HOUR_MS)
    await using page = await yesterday.open('/system/gauge?range=24h')
    // The end of the first 20-minute roll-up.
    await since(page, '19 Oct, 23:20').waitFor()
    assert.match(await ends(page), /^19 Oct, 23:\d\d\s?–\s?20 Oct, 14:15$/)
    await using german = await yesterday.open('/system/gauge?range=24h', { locale: 'de-DE' })
    await german.getByText('Daten seit 19. Okt., 23:20', { exact: true }).waitFor()
    // The last hour is complete, so the page shows no note.
    await page.goto('/system/gauge?range=1h')
    await page.locator('main canvas').first().waitFor()
    await page.getByText('Collecting since').waitFor({ state: 'detached' })
    assert.deepEqual(yesterday.hub.pageErrors, [])
  })

  test('system without samples says that nothing is collected yet', async () => {
    await scene.hub.addSystem(scene.admin, { name: 'silent', port: 1 })
    await using page = await scene.hub.openPage(scene.admin)
    await page.clock.install({ time: scene.clock.now() })
    await page.goto('/system/silent')
    await page.getByRole('main').getByText('Nothing collected yet', { exact: true }).waitFor()
  })
})
