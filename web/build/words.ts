import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const here = fileURLToPath(new URL('..', import.meta.url))
const compileWordsDeadlineMs = 60_000

const words = (): Plugin => ({
  name: 'vedette:words',
  // In a process of its own: the compiler's leftover timers would hold this one open.
  buildStart: () =>
    void execFileSync(process.execPath, ['compile-words.mjs'], { cwd: here, timeout: compileWordsDeadlineMs, stdio: 'inherit' }),
})

/** Nobody asks for a message in another language than the page's: without that choice each is a third shorter. */
const ownLanguage =
  /\(inputs(?: = \{\})?, options = \{\}\) => \{\s+const locale = experimentalStaticLocale \?\? options\.locale \?\? getLocale\(\);?\s+if \(locale === "de"\) return (\w+)\(inputs\);?\s+return (\w+)\(inputs\);?\s+\}/g

const shortWords = (): Plugin => ({
  name: 'vedette:short-words',
  transform: (code, id) =>
    id.includes('/src/words/messages/') ? code.replaceAll(ownLanguage, '(inputs) => getLocale() === "de" ? $1(inputs) : $2(inputs)') : null,
})

/** The compiler's own runtime looks the language up again with every word, in six ways that the page does not have. */
const oneLanguage = (): Plugin => ({
  name: 'vedette:one-language',
  load: (id) =>
    id.endsWith('/src/words/runtime.js')
      ? `export { pageLanguage as getLocale } from '../preferences/language.ts'\nexport const experimentalStaticLocale = undefined`
      : null,
})

/** The catalogue as a page needs it, which speaks one language from start to end. */
export const wordsOfOneLanguage = (): Plugin[] => [words(), oneLanguage(), shortWords()]
