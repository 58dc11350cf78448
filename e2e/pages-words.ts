import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { root } from '../tools/rules/source-tree.ts'

type Catalogue = Readonly<Record<string, string>>
/** Object from message key to the message in one language, as the message files have it: a text, or a list of variants for plural forms. */
type Messages = Readonly<Record<string, string | readonly { readonly match: Readonly<Record<string, string>> }[]>>

/**
 * Reads the message file of a language such as `de`, and returns an object from message key to text. The key of a variant ends with its
 * plural form.
 */
function catalogueOf(language: string): Catalogue {
  const messages = JSON.parse(readFileSync(join(root, 'web', 'messages', `${language}.json`), 'utf8')) as Messages // as the compiler reads it
  const texts = Object.entries(messages).flatMap(([key, message]) =>
    typeof message === 'string'
      ? [[key, message] as const]
      : message.flatMap(({ match }) => Object.entries(match).map(([form, text]) => [`${key} ${form}`, text] as const)),
  )
  return Object.fromEntries(texts)
}

const [english, german] = [catalogueOf('en'), catalogueOf('de')]

/**
 * Returns the source text of a regular expression that matches each text that a message can give. Its parameters match any text that is not
 * empty.
 */
const patternOf = (message: string): string =>
  `^${message
    .split(/\{[^}]*\}/)
    .map((part) => part.replaceAll(/[\^$.*+?()[\]{}|]/g, String.raw`\$&`))
    .join('.+')}$`

/**
 * Returns true when a message contains letters besides its parameters. Otherwise the regular expression for the message would match every
 * text.
 */
const hasLetters = (message: string): boolean => /\p{L}/u.test(message.replaceAll(/\{[^}]*\}/g, ''))

const translated = Object.keys(english).flatMap((key) => {
  const [one = '', other = ''] = [english[key], german[key]]
  return one === other || key.startsWith('$') || !hasLetters(one) ? [] : [{ one: patternOf(one), other: patternOf(other) }]
})
const germanPatterns = translated.map(({ other }) => other)
/**
 * List of regular expressions, as text, that match the dashboard's English texts. Texts that are also German, such as "Name" and "Status",
 * are left out.
 */
const englishPatterns = translated.map(({ one }) => one).filter((one) => !new Set(Object.values(german).map(patternOf)).has(one))

/**
 * Returns JavaScript text whose value in a page is the number of German texts on the page and one sentence per problem, such as an English
 * text. `given` is JSON with the patterns.
 */
const wordsScript = (given: string): string => `(() => {
  const { english, german, stored } = ${given}
  const [isEnglish, isGerman] = [english, german].map((patterns) => patterns.map((one) => new RegExp(one, 'su')))
  const texts = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) texts.push({ text: walker.currentNode.data.trim(), element: walker.currentNode.parentElement })
  for (const element of document.querySelectorAll('[aria-label], [placeholder], [title], [alt]'))
    for (const name of ['aria-label', 'placeholder', 'title', 'alt'])
      if (element.hasAttribute(name)) texts.push({ text: element.getAttribute(name).trim(), element })
  texts.push({ text: document.title, element: document.head })
  const words = texts.filter(({ text, element }) => text !== '' && !element.closest(stored))
  const isOf = (patterns) => ({ text }) => patterns.some((pattern) => pattern.test(text))
  const labels = words.filter(isOf(isGerman))
  const isCut = ({ element }) => {
    for (let one = element; one !== null && one !== document.body; one = one.parentElement) {
      const { overflowX, display } = getComputedStyle(one)
      if (display !== 'inline' && (overflowX === 'hidden' || overflowX === 'clip') && one.clientWidth > 1 && one.scrollWidth > one.clientWidth) return true
    }
    return false
  }
  const sideways = document.documentElement.scrollWidth - innerWidth
  return {
    count: labels.length,
    problems: [
      ...words.filter((word) => isOf(isEnglish)(word) && !isOf(isGerman)(word)).map(({ text }) => 'English: ' + text),
      ...labels.filter(isCut).map(({ text }) => 'cut: ' + text),
      ...(sideways > 0 ? ['scrolls ' + sideways + ' px sideways'] : []),
    ],
  }
})()`

/**
 * Checks that a page is completely in German: some German texts, no English text, no cut label, no sideways scrolling, and the language
 * `de`. Elements that match the CSS selector `stored` are not checked. Rejects with an assertion error.
 */
export async function readGerman(page: Page, what: string, stored = 'script'): Promise<void> {
  const given = JSON.stringify({ english: englishPatterns, german: germanPatterns, stored })
  const { count, problems } = await page.evaluate<{ count: number; problems: readonly string[] }>(wordsScript(given))
  assert.deepEqual(
    problems.map((problem) => `${what}: ${problem}`),
    [],
  )
  assert.ok(count > 0, `${what} shows no German words`)
  assert.equal(await page.locator('html').getAttribute('lang'), 'de', what)
}
