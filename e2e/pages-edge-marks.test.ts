import assert from 'node:assert/strict'
import { test } from 'node:test'
import { machineSample } from '../hub/test/scripted-agent.ts'
import { standingClock } from './clocked-hub.ts'
import { clockedSystem } from './clocked-system.ts'
import { STEP_MS } from './pages-hub.ts'
import { moments } from './past-samples.ts'
import { windowButton } from './window-button.ts'

const MINUTE_MS = 60_000
const NOW_MS = Date.UTC(2026, 9, 20, 12, 15, 30)
/** After 6 minutes this time leaves the chart of an hour. */
const STARTED_MS = NOW_MS - 54 * MINUTE_MS
/** Error of the uptime in every second minute. */
const UPTIME_OFF_SECONDS = 40

/** Records each time that the start of the machine appears in the events or disappears. */
const watchStart = `(() => {
  window.startChanges = []
  new MutationObserver(() => {
    const isShown = document.body?.innerText.includes('Machine started') ?? false
    if (startChanges.at(-1) !== isShown) startChanges.push(isShown)
  }).observe(document, { subtree: true, childList: true, characterData: true })
})()`

test(
  'machine start disappears from the events only once, although the uptime is rounded differently in each sample',
  {
    timeout: 3 * STEP_MS,
  },
  async () => {
    const clock = standingClock(NOW_MS)
    await using scene = await clockedSystem({
      clock,
      sample() {
        const isOff = Math.round((clock.now() - NOW_MS) / MINUTE_MS) % 2 === 1
        const uptimeSeconds = Math.floor((clock.now() - STARTED_MS) / 1000) - (isOff ? UPTIME_OFF_SECONDS : 0)
        return { ...machineSample, uptimeSeconds }
      },
      samples: moments(NOW_MS - 90 * MINUTE_MS, NOW_MS, MINUTE_MS).map((atMs) => ({ atMs, sample: machineSample })),
    })
    await using page = await scene.open('/system/gauge')
    await page.addInitScript(watchStart)
    await page.reload()
    await page.getByText('Machine started').first().waitFor()
    for (let minute = 0; minute < 9; minute += 1) {
      const before = (await windowButton(page).textContent()) ?? ''
      await scene.passMinute(page)
      await page.getByRole('main').getByText(before, { exact: true }).waitFor({ state: 'detached' })
    }
    await page.getByText('Machine started').waitFor({ state: 'detached' })
    // The list may have been empty while the page loaded.
    const changes = await page.evaluate<readonly boolean[]>('startChanges')
    assert.deepEqual(changes.slice(changes.indexOf(true)), [true, false])
    assert.deepEqual(scene.hub.pageErrors, [])
  },
)
