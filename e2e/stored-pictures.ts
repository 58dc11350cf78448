import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pixelmatch from 'pixelmatch'
import type { Locator, Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { root } from '../tools/rules/source-tree.ts'

const stored = join(root, 'e2e', 'pictures')
/** Pictures that differ are left here, each with the difference marked. */
const differing = join(root, 'node_modules', '.cache', 'pictures')

const themes = ['light', 'dark'] as const
const widths = [360, 768, 1440] as const
const HEIGHT = 900
/** Share of pixels that may differ, the edges of letters apart: other processors may round otherwise. A missing icon is more on a phone. */
const MOST_DIFFERENT = 0.0001
/** A picture is taken until two of them are equal: what is still being drawn differs. */
const MOST_TRIES = 20

export type Shown = {
  /** Makes the page show the state at the present width; without it the page shows it already, at every width. */
  readonly show?: () => Promise<unknown>
  /** Parts that differ in every run, such as keys. */
  readonly mask?: readonly Locator[]
}

/** Pictures of one run, by name. With `isUpdate` they replace the stored ones. */
export type PictureRun = {
  /** Takes the pictures of a state in both themes at three widths. Gives a sentence about each that differs from the stored one. */
  readonly compare: (page: Page, state: string, shown?: Shown) => Promise<readonly string[]>
  /** Names of stored pictures that this run did not take; deleted with `isUpdate`. */
  readonly leftOver: () => readonly string[]
}

export function pictureRun(isUpdate: boolean): PictureRun {
  const taken = new Set<string>()
  mkdirSync(stored, { recursive: true })
  rmSync(differing, { recursive: true, force: true })
  return {
    async compare(page, state, { show, mask = [] } = {}) {
      const problems: string[] = []
      for (const width of widths) {
        await page.setViewportSize({ width, height: HEIGHT })
        await show?.()
        for (const theme of themes) {
          await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
          await page.locator(`html.${theme}`).waitFor()
          const name = `${state}-${theme}-${width}.png`
          taken.add(name)
          const picture = await settledPicture(page, mask)
          // An update touches only what has changed.
          const problem = difference(name, picture, isUpdate ? 0 : MOST_DIFFERENT)
          if (problem === undefined) continue
          if (isUpdate) writeFileSync(join(stored, name), picture)
          else problems.push(problem)
        }
      }
      return problems
    },
    leftOver() {
      const names = readdirSync(stored).filter((name) => !taken.has(name))
      if (isUpdate) for (const name of names) rmSync(join(stored, name))
      return isUpdate ? [] : names
    },
  }
}

async function settledPicture(page: Page, mask: readonly Locator[]): Promise<Buffer> {
  // Outlines of what is being loaded are at rest, too.
  await page
    .locator('output[aria-label=Loading], [role=status][aria-label=Loading], div[aria-busy=true]')
    .first()
    .waitFor({ state: 'detached' })
  let before: Buffer | undefined
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const picture = await page.screenshot({ animations: 'disabled', caret: 'hide', scale: 'css', mask: [...mask] })
    if (before?.equals(picture) === true) return picture
    before = picture
  }
  throw new Error(`The page is not at rest after ${MOST_TRIES} pictures`)
}

/** A sentence when more than that share of the picture differs from the stored one. */
function difference(name: string, picture: Buffer, mostDifferent: number): string | undefined {
  const path = join(stored, name)
  if (!existsSync(path)) return `${name} is not stored: npm run pictures`
  const before = readFileSync(path)
  if (before.equals(picture)) return undefined
  const [was, is] = [PNG.sync.read(before), PNG.sync.read(picture)]
  if (was.width !== is.width || was.height !== is.height) return `${name} has another size`
  const marked = new PNG({ width: was.width, height: was.height })
  const pixels = pixelmatch(was.data, is.data, marked.data, was.width, was.height, { threshold: 0.1 })
  if (pixels <= mostDifferent * was.width * was.height) return undefined
  mkdirSync(differing, { recursive: true })
  writeFileSync(join(differing, name), picture)
  writeFileSync(join(differing, name.replace('.png', '.difference.png')), PNG.sync.write(marked))
  return `${name}: ${pixels} pixels differ, see ${differing}`
}
