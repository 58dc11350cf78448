import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, type PagesHub } from './pages-hub.ts'

const pages = ['', 'install.html', 'troubleshooting.html', 'settings.html', 'messages.html', 'no-such-page.html'] as const

describe('documents at /docs', { timeout: 6 * STEP_MS }, () => {
  let hub: PagesHub
  before(async () => {
    hub = await startPagesHub()
  })
  after(() => hub[Symbol.asyncDispose]())

  /** Opens a page without an account, and collects what its console reports and every request to another server. */
  async function openDocument(name: string, options: Parameters<PagesHub['openPage']>[1] = {}) {
    const page = await hub.openPage(undefined, options)
    const reported: string[] = []
    page.on('console', (message) => {
      // Chromium reports the status of a page that does not exist.
      if (message.type() === 'error' && !/status of 404/.test(message.text())) reported.push(message.text())
    })
    page.on('request', (request) => {
      if (!request.url().startsWith(hub.address)) reported.push(request.url())
    })
    await page.goto(`/docs/${name}`)
    return { page, reported, [Symbol.asyncDispose]: () => page[Symbol.asyncDispose]() }
  }

  const searchField = (page: Page) => page.getByRole('searchbox', { name: 'Search the documents' })

  for (const name of pages)
    test(`/docs/${name} is accessible in both themes at three widths, without errors or requests to other servers`, async () => {
      await using opened = await openDocument(name)
      await opened.page.getByRole('heading', { level: 1 }).waitFor()
      await searchField(opened.page).waitFor()
      await auditPage(opened.page, name)
      assert.deepEqual(opened.reported, [])
    })

  test('/docs redirects to the start page, which links to every page; each exists and has a heading', async () => {
    await using opened = await openDocument('')
    const { page } = opened
    await page.goto('/docs')
    assert.equal(new URL(page.url()).pathname, '/docs/')
    const links = await page.getByRole('navigation', { name: 'All pages' }).getByRole('link').all()
    assert.ok(links.length >= 20)
    for (const link of links) {
      const answer = await page.request.get(`/docs/${await link.getAttribute('href')}`)
      assert.equal(answer.status(), 200)
      assert.match(await answer.text(), /<h1 id=/)
    }
  })

  test('links between pages lead to an existing page and section', async () => {
    await using opened = await openDocument('')
    const { page } = opened
    const names = await page.evaluate<readonly string[]>(`[...document.querySelectorAll('.pages a')].map((a) => a.getAttribute('href'))`)
    const texts = new Map<string, string>()
    for (const name of names) texts.set(name, await (await page.request.get(`/docs/${name}`)).text())
    const broken = [...texts].flatMap(([name, text]) =>
      [...text.matchAll(/href="([^"#:]*)(?:#([^"]+))?"/g)].flatMap(([, file = '', anchor]) => {
        if (/^assets\/|^\.\.?\/$/.test(file)) return []
        const target = texts.get(file === '' ? name : file)
        if (target === undefined) return [`${name}: ${file}`]
        return anchor === undefined || target.includes(`id="${anchor}"`) ? [] : [`${name}: ${file}#${anchor}`]
      }),
    )
    assert.deepEqual(broken, [])
  })

  test('search finds "forgot" by keyboard, opens the section, and loads its index only on first use', async () => {
    await using opened = await openDocument('install.html')
    const { page, reported } = opened
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
    await page.keyboard.press('/')
    await searchField(page).pressSequentially('forgot')
    const results = page.getByRole('list', { name: 'Search results' })
    await results.getByRole('link', { name: /I forgot the admin password/ }).waitFor()
    assert.match(await page.getByRole('status').innerText(), /^\d+ results$/)
    assert.ok(loaded.some((path) => /^\/docs\/assets\/search-[\w-]+\.json$/.test(path)))
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/troubleshooting.html#i-forgot-the-admin-password')
    assert.deepEqual(reported, [])
  })

  test('search says when nothing is found, and Escape closes the list', async () => {
    await using opened = await openDocument('')
    const { page } = opened
    await searchField(page).fill('xylophone quartet')
    await page.getByText('No results.', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('No results.', { exact: true }).waitFor({ state: 'detached' })
  })

  test('the Content-Security-Policy of a page stops inline scripts and scripts of other servers', async () => {
    await using opened = await openDocument('')
    const { page } = opened
    const ran = await page.evaluate(`new Promise((resolve) => {
      const script = document.createElement('script')
      script.textContent = 'window.inlineRan = true'
      document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => resolve([violatedDirective, window.inlineRan === true]))
      document.body.append(script)
    })`)
    assert.deepEqual(ran, ['script-src-elem', false])
  })

  test('below a path of a proxy, pages, search and the link to the dashboard stay below that path', async () => {
    await using proxied = await startPagesHub({ args: ['--app-url', 'https://example.com/monitor'] })
    await using page = await proxied.openPage()
    await page.goto('/monitor/docs')
    assert.equal(new URL(page.url()).pathname, '/monitor/docs/')
    await searchField(page).fill('forgot')
    await page.getByRole('link', { name: /I forgot the admin password/ }).click()
    await page.waitForURL('**/monitor/docs/troubleshooting.html#i-forgot-the-admin-password')
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
    await page.waitForURL('**/monitor/')
  })

  test('a page follows the theme that was chosen in the dashboard', async () => {
    await using opened = await openDocument('', { colorScheme: 'light' })
    const { page } = opened
    await page.evaluate(`localStorage.setItem('ui-theme', 'dark')`)
    await page.reload()
    await page.locator('html.dark').waitFor()
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.emulateMedia({ colorScheme: 'light' })
    assert.equal(await page.locator('html.dark').count(), 1)
  })

  test('a printed page has black text on white without navigation, also in the dark theme', async () => {
    await using opened = await openDocument('install.html', { colorScheme: 'dark' })
    const { page } = opened
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    assert.equal(await page.getByRole('navigation', { name: 'All pages' }).isVisible(), false)
    assert.equal(await page.evaluate('getComputedStyle(document.body).color'), 'rgb(27, 28, 26)')
  })

  test('an admin reaches the documents from the account menu and from the back-office', async () => {
    await using page = await hub.openPage(await hub.createAdmin())
    await page.goto('/')
    await page.getByRole('banner').getByRole('button', { name: 'Account' }).click()
    const entry = page.getByRole('menuitem', { name: 'Documentation' })
    assert.equal(await entry.getAttribute('href'), '/docs/')
    await page.goto('/_/')
    await page.getByRole('link', { name: 'Documentation' }).click()
    await page.getByRole('heading', { name: 'Vedette documents' }).waitFor()
  })
})
