import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pixelmatch from 'pixelmatch'
import type { Locator, Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { root } from '../tools/rules/source-tree.ts'

const stored = join(root, 'e2e', 'pictures')
/** Path of the folder for screenshots that differ from the stored ones, each with a picture of the differences if the sizes are equal. */
const differencesFolder = join(root, 'node_modules', '.cache', 'pictures')

const themes = ['light', 'dark'] as const
const widths = [360, 768, 1440] as const
const HEIGHT = 900
/**
 * Maximum fraction of pixels (0 to 1) in which a screenshot may differ from the stored one, because processors round differently. A missing
 * icon exceeds it even on a phone.
 */
const MOST_DIFFERENT = 0.0001
/**
 * Maximum number of screenshots per state, 40, that are taken until one equals the stored one. A page that is still being drawn differs.
 */
const MOST_TRIES = 40

/**
 * JavaScript text of a promise for a page of the screenshots. It resolves after two frames, when the page's components have reacted to a
 * change of size or theme.
 */
const drawn = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))'

export type PictureState = {
  /**
   * Function that brings the page into the state for the screenshot, such as with an open menu; called at each width. Absent: the page is
   * in that state already.
   */
  readonly show?: () => Promise<unknown>
  /** List of Playwright locators of elements whose content differs in every run, such as keys. Boxes cover them in the screenshot. */
  readonly mask?: readonly Locator[]
  /** True for a screenshot of the page's full height; false for one of the upper 900 px. */
  readonly isLong?: boolean
  /**
   * True when the page to take a screenshot of shows placeholders for content that never arrives. The screenshot then does not wait for
   * them to disappear.
   */
  readonly isLoading?: boolean
}

/**
 * Functions of one run that compare its screenshots with the stored ones of the same name. With `isUpdate`, the screenshots of the run are
 * stored instead.
 */
export type PictureRun = {
  /**
   * Takes screenshots of a page in both themes at three widths, named after `state`. Resolves with one sentence for each that differs from
   * the stored one, or for which none is stored.
   */
  readonly compare: (page: Page, state: string, shown?: PictureState) => Promise<readonly string[]>
  /**
   * Returns the list of file names of stored screenshots for which this run took none, as after a page was removed. With `isUpdate` it
   * deletes them and returns an empty list.
   */
  readonly leftOver: () => readonly string[]
}

export function pictureRun(isUpdate: boolean): PictureRun {
  const taken = new Set<string>()
  mkdirSync(stored, { recursive: true })
  rmSync(differencesFolder, { recursive: true, force: true })
  return {
    async compare(page, state, { show, isLong = false, ...shown } = {}) {
      const problems: string[] = []
      for (const width of widths) {
        await page.setViewportSize({ width, height: HEIGHT })
        await show?.()
        if (isLong) {
          await page.evaluate(drawn)
          await page.setViewportSize({ width, height: await page.evaluate<number>('document.documentElement.scrollHeight') })
        }
        for (const theme of themes) {
          await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
          await page.locator(`html.${theme}`).waitFor()
          const name = `${state}-${theme}-${width}.png`
          taken.add(name)
          const problem = await (isUpdate ? update : lastingDifference)(page, name, shown)
          if (problem !== undefined) problems.push(problem)
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

/**
 * Takes screenshots until two in a row are equal, and stores the last one, unless it looks equal to the stored one. Resolves with
 * `undefined`; rejects if the page never comes to rest.
 */
async function update(page: Page, name: string, shown: PictureState): Promise<undefined> {
  let before: Buffer | undefined
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const picture = await takePicture(page, shown)
    if (before !== undefined && differenceOf(before, picture, 0) === undefined) {
      if (difference(name, picture, 0) !== undefined) writeFileSync(join(stored, name), recompressed(picture))
      return undefined
    }
    before = picture
  }
  throw new Error(`The page is not at rest after ${MOST_TRIES} pictures`)
}

/** Returns a PNG picture compressed again, which saves about 15 %, because the browser compresses for speed. */
const recompressed = (picture: Buffer): Buffer =>
  PNG.sync.write(PNG.sync.read(picture), { colorType: 2, deflateLevel: 9, deflateStrategy: 0, filterType: 0 })

/**
 * Takes screenshots until one differs from the stored one in at most 0.01 % of the pixels; then resolves with `undefined`. After 40 tries,
 * it saves the last one, with its differences if sizes are equal, and resolves with a sentence about them.
 */
async function lastingDifference(page: Page, name: string, shown: PictureState): Promise<string | undefined> {
  let picture: Buffer
  let different: Difference | undefined
  let tries = 0
  do {
    picture = await takePicture(page, shown)
    different = difference(name, picture, MOST_DIFFERENT)
    tries++
  } while (different !== undefined && tries < MOST_TRIES)
  if (different === undefined) return undefined
  mkdirSync(differencesFolder, { recursive: true })
  writeFileSync(join(differencesFolder, name), picture)
  if (different.marked !== undefined)
    writeFileSync(join(differencesFolder, name.replace('.png', '.difference.png')), PNG.sync.write(different.marked))
  return `${name}: ${different.sentence}, see ${differencesFolder}`
}

async function takePicture(page: Page, { mask = [], isLoading = false }: PictureState): Promise<Buffer> {
  // Placeholders of content that is being loaded are still, too.
  if (!isLoading)
    await page
      .locator('output[aria-label=Loading], [role=status][aria-label=Loading], div[aria-busy=true]')
      .first()
      .waitFor({ state: 'detached' })
  await page.evaluate(drawn)
  return page.screenshot({ animations: 'disabled', caret: 'hide', scale: 'css', mask: [...mask] })
}

type Difference = { readonly sentence: string; readonly marked?: PNG }

/**
 * Compares a screenshot with the stored picture of this name. Returns the difference if none is stored, the size differs, or too many
 * pixels differ; else `undefined`. Too many is more than the share `mostDifferent` (0 to 1) of the pixels, counted up to 900 px height.
 */
function difference(name: string, picture: Buffer, mostDifferent: number): Difference | undefined {
  const path = join(stored, name)
  return existsSync(path) ? differenceOf(readFileSync(path), picture, mostDifferent) : { sentence: 'not stored: npm run pictures' }
}

function differenceOf(before: Buffer, picture: Buffer, mostDifferent: number): Difference | undefined {
  if (before.equals(picture)) return undefined
  const [was, is] = [PNG.sync.read(before), PNG.sync.read(picture)]
  if (was.width !== is.width || was.height !== is.height) return { sentence: 'another size' }
  const marked = new PNG({ width: was.width, height: was.height })
  const pixels = pixelmatch(was.data, is.data, marked.data, was.width, was.height, { threshold: 0.1 })
  return pixels <= mostDifferent * was.width * Math.min(was.height, HEIGHT) ? undefined : { sentence: `${pixels} pixels differ`, marked }
}
