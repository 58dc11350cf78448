import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Sample } from '@vedette/protocol/metrics/sample'
import { answering, behavingSshAgent, documentReply } from '../hub/test/scripted-agent.ts'
import { freePort } from '../tools/free-port.ts'
import { standingClock } from './clocked-hub.ts'
import { auditColours } from './pages-audit.ts'
import { startPagesHub, STEP_MS, waitUntil, type PagesHub, type Session } from './pages-hub.ts'
import { addPastSystem, moments } from './past-samples.ts'
import { faintParts } from './pressable-states.ts'
import { richMachine } from './rich-machine.ts'

const MINUTE_MS = 60_000
const NOW_MS = Date.UTC(2026, 9, 20, 12, 0, 30)
const PHONE = { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true }
const TITLE = 'Docker CPU Usage'

const memoryAt = (usedPercent: number): Sample => ({
  ...richMachine,
  memory: { totalBytes: 64 * 1024 ** 3, usedBytes: 64 * 1024 ** 3 * (usedPercent / 100), usedPercent },
})

describe('contrast of states', { timeout: 8 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  const clock = standingClock(NOW_MS)
  let hub: PagesHub
  let admin: Session
  /** Id of the system whose memory is full. */
  let full: string
  let waiting: string

  before(async () => {
    const absent = await freePort()
    hub = made.use(
      await startPagesHub({
        clock,
        async prepare(stores) {
          const samples = moments(NOW_MS - 30 * MINUTE_MS, NOW_MS, MINUTE_MS).map((atMs) => ({ atMs, sample: memoryAt(50) }))
          for (const [name, percent] of [
            ['gauge', 50],
            ['warned', 85],
            ['full', 97],
          ] as const) {
            const behave = answering(() => documentReply(memoryAt(percent)))
            const { port } = made.use(await behavingSshAgent(stores.key.publicLine, { behave }))
            full = await addPastSystem(stores, { name, port, samples })
          }
          // This agent never responds, so its system has no sample.
          const ended = Promise.withResolvers<void>()
          made.defer(() => ended.resolve())
          const { port } = made.use(await behavingSshAgent(stores.key.publicLine, { behave: () => ended.promise }))
          waiting = await addPastSystem(stores, { name: 'waiting', port, samples: [] })
          await addPastSystem(stores, { name: 'gone', port: absent, samples: [] })
          await addPastSystem(stores, { name: 'paused', port: absent, status: 'paused', samples: [] })
        },
      }),
    )
    admin = await hub.createAdmin()
  })

  after(async () => {
    assert.deepEqual(hub.pageErrors, [])
    await made.disposeAsync()
  })

  const open = async (path: string, options?: BrowserContextOptions) => {
    const page = await hub.openPage(admin, options)
    await page.clock.install({ time: clock.now() })
    await page.goto(path)
    return page
  }
  const look = async (page: Page, what: string) => {
    await page.evaluate(
      'Promise.allSettled(document.getAnimations().filter(({ effect }) => effect.getComputedTiming().iterations !== Infinity).map(({ finished }) => finished))',
    )
    const problems = [...(await faintParts(page)), ...(await auditColours(page))]
    return problems.map((problem) => `${what}, ${problem}`)
  }

  for (const [where, options] of [
    ['a wide page', {}],
    ['a phone', PHONE],
  ] as const) {
    test(`systems of every health, selected and filtered out, have enough contrast on ${where}`, async () => {
      await using page = await open('/', options)
      const problems: string[] = []
      for (const health of ['up', 'down', 'paused']) await page.locator(`[data-health=${health}]`).first().waitFor()
      await waitUntil(page, `document.querySelectorAll('[data-health=up]').length === 3`)
      // The hub may already have marked the system as down.
      await hub.send(admin, 'PATCH', `/api/collections/systems/records/${waiting}`, { status: 'pending' })
      await page.locator('[data-health=pending]').first().waitFor()
      problems.push(...(await look(page, 'every state')))
      for (const name of ['gauge', 'gone', 'paused', 'waiting'])
        await page.getByRole('checkbox', { name: `Select ${name}` }).check({ force: true })
      problems.push(...(await look(page, 'selected')))
      await page.getByPlaceholder('Filter...').fill('nothing of this name')
      await page.locator('[data-health]').first().waitFor({ state: 'detached' })
      problems.push(...(await look(page, 'filtered away')))
      assert.deepEqual(problems, [])
    })
  }

  test('chart with a hidden line, its tooltip, its table, and unreadable charts have enough contrast', async () => {
    await using page = await open('/system/gauge')
    const problems: string[] = []
    const card = page.getByRole('region', { name: TITLE, exact: true })
    await card.locator('canvas').waitFor()
    const entry = card.locator('button[aria-pressed]:has(b)').first()
    await entry.click()
    await card.locator('button[aria-pressed=false]:has(b)').waitFor()
    await card.getByRole('slider').focus()
    await page.keyboard.press('ArrowLeft')
    await card.locator('.absolute[aria-hidden=true]').waitFor()
    problems.push(...(await look(page, 'tooltip and hidden line')))
    await card.getByRole('button', { name: /show the numbers/ }).click()
    await card.getByRole('table').waitFor()
    problems.push(...(await look(page, 'table')))
    await page.route('**/system_stats/records?*', (route) => route.fulfill({ status: 400, json: { message: 'No' } }))
    await page.reload()
    await page
      .getByRole('button', { name: /Try again|Retry/ })
      .first()
      .waitFor()
    problems.push(...(await look(page, 'failed')))
    assert.deepEqual(problems, [])
  })

  test('alert banner, tooltip and error toast have enough contrast', async () => {
    await using page = await open('/')
    const problems: string[] = []
    await page.getByRole('link', { name: 'gauge', exact: true }).waitFor()
    const rule = { user: admin.record.id, system: full, name: 'Memory', value: 80, min: 1 }
    await hub.send(admin, 'POST', '/api/collections/alerts/records', rule)
    await hub.send(admin, 'PATCH', `/api/collections/systems/records/${full}`, { status: 'pending' })
    await page.getByRole('link', { name: /Memory/ }).waitFor()
    problems.push(...(await look(page, 'banner')))
    await page.getByRole('button', { name: 'Alerts for gauge' }).hover()
    await page.clock.runFor(1000)
    await page.getByRole('tooltip').waitFor()
    problems.push(...(await look(page, 'tooltip')))
    await page.route('**/systems/records/*', (route) => route.fulfill({ status: 400, json: { message: 'Refused' } }))
    await page.getByRole('button', { name: 'Menu of gauge' }).click()
    await page.getByRole('menuitem', { name: 'Pause', exact: true }).click()
    await page.locator('li[data-state=open]').waitFor()
    problems.push(...(await look(page, 'toast')))
    assert.deepEqual(problems, [])
  })

  test('stale systems have enough contrast', async () => {
    clock.move(5 * MINUTE_MS)
    for (const options of [{}, PHONE]) {
      await using page = await open('/', options)
      await page.locator('[data-health=stale]').first().waitFor()
      assert.deepEqual(await look(page, 'stale'), [])
      await page.goto('/system/gauge')
      await page.getByRole('heading', { level: 1, name: 'gauge' }).waitFor()
      assert.deepEqual(await look(page, 'a stale system'), [])
    }
  })

  test('contrast check finds faint texts, icons and borders', async () => {
    await using page = await open('/')
    await page.getByRole('link', { name: 'gauge', exact: true }).waitFor()
    const css = 'tr { opacity: 0.5 } header svg { color: rgb(128 128 128 / 0.4) } [type=search] { border-color: #ddd !important }'
    await page.evaluate(`{ const sheet = new CSSStyleSheet(); sheet.replaceSync('${css}'); document.adoptedStyleSheets.push(sheet) }`)
    const found = String(await faintParts(page))
    for (const kind of [/light: text/, /light: icon/, /light: border/, /dark: text/, /dark: icon/]) assert.match(found, kind)
  })
})
