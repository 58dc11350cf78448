import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { root } from './rules/source-tree.ts'
import { ensureDashboard } from './dashboard.ts'
import { NOW_MS, startDocumentsScene } from '../e2e/documents-scene.ts'

/*
 * Draws the pictures of the documents into docs/pictures: `node tools/draw-documents.ts`. With `--web-root DIR --name before` it draws the
 * pages of another build of the dashboard, and only those that are compared.
 */
const { values } = parseArgs({ options: { 'web-root': { type: 'string' }, name: { type: 'string', default: 'after' } } })
const folder = join(root, 'docs', 'pictures')
const otherRoot = values['web-root']
/** Device pixel ratio of the README's screenshots: 1.5 device pixels for each CSS pixel. */
const SHARPNESS = 1.5

mkdirSync(folder, { recursive: true })
await ensureDashboard()
await using scene = await startDocumentsScene(otherRoot === undefined ? [] : ['--web-root', otherRoot])

const open = async (deviceScaleFactor: number): Promise<Page> => {
  const page = await scene.hub.openPage(scene.admin, { timezoneId: 'UTC', locale: 'en-GB', deviceScaleFactor, reducedMotion: 'reduce' })
  await page.clock.install({ time: NOW_MS })
  return page
}

async function showFleet(page: Page): Promise<void> {
  await page.goto('/')
  await page.getByRole('link', { name: 'web-1', exact: true }).waitFor()
  await page.locator('tbody svg path[opacity][d*=L]').nth(7).waitFor()
}

async function showSystem(page: Page): Promise<void> {
  await page.goto('/system/atlas')
  await page.locator('main canvas').nth(3).waitFor()
  await page.getByText('Waiting', { exact: true }).waitFor({ state: 'detached' })
}

const write = (name: string, picture: Buffer) => writeFileSync(join(folder, `${name}.png`), picture)

await using page = await open(1)
await page.setViewportSize({ width: 1440, height: 900 })
await page.emulateMedia({ colorScheme: 'light' })
await showFleet(page)
await page.clock.runFor(1_000)
write(`all-systems-${values.name}`, await page.screenshot())
await showSystem(page)
await page.clock.runFor(1_000)
write(`system-${values.name}`, await page.screenshot())

if (otherRoot === undefined) {
  await using sharp = await open(SHARPNESS)
  for (const [name, height, show] of [
    ['all-systems', 560, showFleet],
    ['system', 1010, showSystem],
  ] as const) {
    await sharp.setViewportSize({ width: 1440, height })
    const themes: PNG[] = []
    for (const colorScheme of ['light', 'dark'] as const) {
      await sharp.emulateMedia({ colorScheme })
      await show(sharp)
      await sharp.clock.runFor(1_000)
      themes.push(PNG.sync.read(await sharp.screenshot()))
    }
    const [light, dark] = themes
    if (light !== undefined && dark !== undefined) write(name, PNG.sync.write(sideBySide(light, dark), { colorType: 2, deflateLevel: 9 }))
  }
}

/** Returns a picture that shows `left` to the left of a slanted line and `right` to its right. Both pictures must have equal size. */
function sideBySide(left: PNG, right: PNG): PNG {
  const { width, height } = left
  const both = new PNG({ width, height })
  for (let y = 0; y < height; y++) {
    const border = Math.round(width * (0.54 - (0.08 * y) / height)) * 4
    const row = y * width * 4
    left.data.copy(both.data, row, row, row + border)
    right.data.copy(both.data, row + border, row + border, row + width * 4)
  }
  return both
}
