import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sshAgent } from '../hub/test/scripted-agent.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'
import { richMachine } from './rich-machine.ts'

/** Every page of the dashboard and the back-office, with the user that opens it. */
const pages = [
  { path: '/', who: 'nobody' },
  { path: '/forgot-password', who: 'nobody' },
  { path: '/reset-password/token', who: 'nobody' },
  { path: '/verify-email/token', who: 'nobody' },
  { path: '/change-email/token', who: 'nobody' },
  { path: '/', who: 'admin' },
  { path: '/system/gauge', who: 'admin' },
  { path: '/system/nowhere', who: 'admin' },
  { path: '/compare', who: 'admin' },
  { path: '/alerts', who: 'admin' },
  { path: '/settings', who: 'admin' },
  { path: '/settings/access', who: 'admin' },
  { path: '/no/such/page', who: 'admin' },
  { path: '/_/', who: 'admin' },
  { path: '/_/#/collections?collection=systems', who: 'admin' },
  { path: '/_/#/audit', who: 'admin' },
  { path: '/_/#/health', who: 'admin' },
  { path: '/_/#/logs', who: 'admin' },
  { path: '/_/#/settings/crons', who: 'admin' },
  { path: '/_/#/settings/backups', who: 'admin' },
  { path: '/_/#/settings/auth-providers', who: 'admin' },
  { path: '/_/#/settings/mail', who: 'admin' },
  { path: '/_/#/no/such/page', who: 'admin' },
  { path: '/_/', who: 'user' },
] as const

/** Maximum number of Tab key presses on one page. */
const MOST_STEPS = 150

/**
 * The focused element as text, and the problem of its focus ring. An input that is drawn by another element has its ring there. No
 * ancestor with hidden overflow may clip the ring.
 */
const focused = `(() => {
  const element = document.activeElement
  if (element === null || element === document.body) return { name: '', problem: '' }
  const rect = (one) => one.getBoundingClientRect()
  const around = [element, element.parentElement, ...element.parentElement.children, element.closest('label')].filter(Boolean)
  const ringed = around.find((one) => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one)
    const isLarge = rect(one).width >= 8 && rect(one).height >= 8
    return isLarge && outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && !/, 0\\)|transparent/.test(outlineColor)
  })
  window.steps = (window.steps ?? new Map())
  // A field for a time has a stop for each of its parts, with the same active element. The browser draws their rings.
  const isPart = window.latest === element
  const isKnown = steps.has(element) && !isPart
  steps.set(element, true)
  window.latest = element
  const name = isKnown ? '' : element.tagName + ' ' + (element.getAttribute('aria-label') ?? element.getAttribute('name') ?? element.textContent.slice(0, 40))
  if (isPart) return { name, problem: '' }
  if (ringed === undefined) return { name, problem: 'no ring' }
  const { outlineOffset, outlineWidth } = getComputedStyle(ringed)
  const by = parseFloat(outlineOffset) + parseFloat(outlineWidth)
  const ring = rect(ringed)
  for (let part = ringed.parentElement; part !== null && part !== document.body; part = part.parentElement) {
    const { overflowX, overflowY, position } = getComputedStyle(part)
    const hides = (overflow) => overflow === 'hidden' || overflow === 'clip'
    const frame = rect(part)
    const cut = [
      hides(overflowX) && (ring.left - by < frame.left - 0.5 || ring.right + by > frame.right + 0.5),
      hides(overflowY) && (ring.top - by < frame.top - 0.5 || ring.bottom + by > frame.bottom + 0.5),
    ]
    if (cut.some(Boolean)) return { name, problem: 'its ring is cut by ' + part.tagName + ' ' + part.className }
    if (position === 'fixed') break
  }
  return { name, problem: '' }
})()`

type Focused = { readonly name: string; readonly problem: string }

describe('every page', { timeout: 10 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  const titles = new Map<string, string>()
  let hub: PagesHub
  const sessions = new Map<string, Session>()

  before(async () => {
    hub = made.use(await startPagesHub())
    const admin = await hub.createAdmin()
    sessions.set('admin', admin).set('user', await hub.createUser('user@example.com', 'user'))
    const { key } = (await hub.send(admin, 'GET', '/api/beszel/getkey')) as { readonly key: string } // what this route answers
    const { port } = made.use(await sshAgent(key, () => richMachine))
    await hub.addSystem(admin, { name: 'gauge', port })
  })

  after(async () => {
    assert.deepEqual(hub.pageErrors, [])
    await made.disposeAsync()
  })

  const open = async (path: string, who: (typeof pages)[number]['who']): Promise<Page> => {
    const page = await hub.openPage(sessions.get(who))
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' })
    // Rows load after the page.
    await page.waitForLoadState('networkidle')
    return page
  }

  for (const { path, who } of pages) {
    test(`${path} for ${who}: the title has the usual form, and each focused element has a visible ring`, async () => {
      await using page = await open(path, who)
      const title = await page.title()
      assert.match(title, /^\S.* \/ Vedette$/)
      // An unknown address has no title of its own.
      assert.ok(title.startsWith('404') || !titles.has(title), `${title} is also the title of ${titles.get(title)}`)
      titles.set(title, path)
      const problems: string[] = []
      let isAtEnd = false
      for (let step = 0; step < MOST_STEPS && !isAtEnd; step++) {
        await page.keyboard.press('Tab')
        const { name, problem } = await page.evaluate<Focused>(focused)
        isAtEnd = name === ''
        if (problem !== '' && !isAtEnd) problems.push(`${name}: ${problem}`)
      }
      assert.deepEqual(problems, [])
      const focusedCount = await page.evaluate<number>('steps.size')
      const controls = await page.evaluate<number>(
        `[...document.querySelectorAll('a[href], button:not(:disabled, [tabindex="-1"])')].filter((one) => one.checkVisibility()).length`,
      )
      assert.ok(focusedCount >= Math.min(controls, MOST_STEPS), `${focusedCount} of ${controls} controls`)
    })
  }

  test('check of focus rings finds a missing and a clipped ring', async () => {
    await using page = await open('/settings', 'admin')
    const problem = async (change: string) => {
      await page.keyboard.press('Tab')
      await page.evaluate(`{ const { style, parentElement } = document.activeElement; ${change} }`)
      return (await page.evaluate<Focused>(focused)).problem
    }
    assert.equal(await problem(''), '')
    assert.equal(await problem(`style.outline = 'none'`), 'no ring')
    assert.match(await problem(`parentElement.style.overflow = 'hidden'; parentElement.style.width = '9px'`), /^its ring is cut by /)
  })
})
