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
/** Share of a screen's pixels that may differ, the edges of letters apart: other processors may round otherwise. A missing icon is more on a phone. */
const MOST_DIFFERENT = 0.0001
/** A picture is taken until it is the stored one, since what is still being drawn differs. A page that stays different fails. */
const MOST_TRIES = 40

/** A change of the size or theme reaches the components of the page with a frame, which a busy machine gives late. */
const drawn = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))'

export type Shown = {
  /** Makes the page show the state at the present width; without it the page shows it already, at every width. */
  readonly show?: () => Promise<unknown>
  /** Parts that differ in every run, such as keys. */
  readonly mask?: readonly Locator[]
  /** Takes the page in all its length. */
  readonly isLong?: boolean
  /** The page shows outlines of content that never arrives. */
  readonly isLoading?: boolean
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

/** Stores the picture once two in a row look the same: the browser may draw the edge of a rounded corner a shade lighter the next time. A stored one that looks the same is not touched. */
async function update(page: Page, name: string, shown: Shown): Promise<undefined> {
  let before: Buffer | undefined
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const picture = await takePicture(page, shown)
    if (before !== undefined && differenceOf(before, picture, 0) === undefined) {
      if (difference(name, picture, 0) !== undefined) writeFileSync(join(stored, name), smaller(picture))
      return undefined
    }
    before = picture
  }
  throw new Error(`The page is not at rest after ${MOST_TRIES} pictures`)
}

/** The same picture in some 15 % fewer bytes: the browser compresses for speed. */
const smaller = (picture: Buffer): Buffer =>
  PNG.sync.write(PNG.sync.read(picture), { colorType: 2, deflateLevel: 9, deflateStrategy: 0, filterType: 0 })

/** A sentence when no picture of the page is the stored one; the last picture is left with its difference marked. */
async function lastingDifference(page: Page, name: string, shown: Shown): Promise<string | undefined> {
  let picture: Buffer
  let different: Difference | undefined
  let tries = 0
  do {
    picture = await takePicture(page, shown)
    different = difference(name, picture, MOST_DIFFERENT)
    tries++
  } while (different !== undefined && tries < MOST_TRIES)
  if (different === undefined) return undefined
  mkdirSync(differing, { recursive: true })
  writeFileSync(join(differing, name), picture)
  if (different.marked !== undefined)
    writeFileSync(join(differing, name.replace('.png', '.difference.png')), PNG.sync.write(different.marked))
  return `${name}: ${different.sentence}, see ${differing}`
}

async function takePicture(page: Page, { mask = [], isLoading = false }: Shown): Promise<Buffer> {
  // Outlines of what is being loaded are at rest, too.
  if (!isLoading)
    await page
      .locator('output[aria-label=Loading], [role=status][aria-label=Loading], div[aria-busy=true]')
      .first()
      .waitFor({ state: 'detached' })
  await page.evaluate(drawn)
  return page.screenshot({ animations: 'disabled', caret: 'hide', scale: 'css', mask: [...mask] })
}

type Difference = { readonly sentence: string; readonly marked?: PNG }

/** Present when more than that share of the picture differs from the stored one. */
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
