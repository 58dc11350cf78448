import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sshAgent } from '../hub/test/scripted-agent.ts'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'
import { richMachine } from './rich-machine.ts'

const platforms = [
  ['linux', 'Linux'],
  ['macos', 'macOS'],
  ['windows', 'Windows'],
  ['freebsd', 'FreeBSD'],
] as const

describe('icons of operating systems and containers', { timeout: 6 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  let hub: PagesHub
  let admin: Session

  before(async () => {
    hub = made.use(await startPagesHub())
    admin = await hub.createAdmin()
    const { key } = (await hub.send(admin, 'GET', '/api/beszel/getkey')) as { readonly key: string } // what this route answers
    for (const [os, name] of platforms) {
      const { port } = made.use(await sshAgent(key, () => ({ ...richMachine, machine: { ...richMachine.machine, os } })))
      await hub.addSystem(admin, { name, port })
    }
    await hub.addSystem(admin, { name: 'silent', port: 1 })
  })

  after(async () => {
    assert.deepEqual(hub.pageErrors, [])
    await made.disposeAsync()
  })

  const drawingOf = (page: Page, platform: string): Promise<string> =>
    page.evaluate<string>(`(() => {
      const { maskImage, backgroundColor, width, height } = getComputedStyle(document.querySelector('main [data-platform=${platform}]'))
      return [width, height, backgroundColor, maskImage].join(' ')
    })()`)

  for (const width of [1440, 360]) {
    test(`All Systems shows the operating system of each system as an icon, with aligned names, ${width} px`, async () => {
      await using page = await hub.openPage(admin, { viewport: { width, height: 900 } })
      await page.goto('/')
      const drawings = new Set<string>()
      for (const [os, name] of platforms) {
        await page.getByRole('img', { name, exact: true }).waitFor()
        const drawing = await drawingOf(page, os)
        assert.match(drawing, /^16px 16px rgb\(.+\) url\("data:image\/svg/)
        drawings.add(drawing)
      }
      assert.equal(drawings.size, platforms.length)
      const lefts = await Promise.all(
        [...platforms.map(([, name]) => name), 'silent'].map(
          async (name) => (await page.getByRole('link', { name, exact: true }).boundingBox())?.x,
        ),
      )
      assert.equal(new Set(lefts).size, 1, lefts.join(' '))
      await auditPage(page, 'icons')
    })
  }

  test('page of a system shows the operating system in the header, and an icon beside each container', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/system/Linux')
    await page.getByRole('main').getByRole('img', { name: 'Linux', exact: true }).waitFor()
    const table = page.getByRole('region', { name: 'Containers', exact: true })
    // The list loads on scroll, and the sections above it grow meanwhile.
    while ((await table.count()) === 0) await page.mouse.wheel(0, 20_000)
    await table.getByRole('row').filter({ hasText: 'database' }).waitFor()
    assert.equal(await table.locator('[data-platform=container]').count(), 2)
    assert.match(await drawingOf(page, 'container'), /^16px 16px rgb\(.+\) url\("data:image\/svg/)
  })
})
