import { readStored, writeStored } from './stored-text.ts'

export type Language = 'en' | 'de'

/** Each by its own name, so that who cannot read the page finds theirs. */
export const languages: readonly { readonly id: Language; readonly name: string }[] = [
  { id: 'en', name: 'English' },
  { id: 'de', name: 'Deutsch' },
]

const STORAGE_KEY = 'ui-language'

/** The language in a list such as `navigator.languages` that the page speaks first; English when it speaks none of them. */
export const languageOf = (wanted: readonly string[]): Language =>
  wanted.flatMap((tag) => languages.filter(({ id }) => tag.toLowerCase().split('-')[0] === id))[0]?.id ?? 'en'

export const chosenLanguage = (): Language | undefined => languages.find(({ id }) => id === readStored(STORAGE_KEY))?.id

const shown = chosenLanguage() ?? languageOf(globalThis.navigator?.languages ?? [])

/** What the page speaks from its first word to its last: decided once, asked for with each word. */
export const pageLanguage = (): Language => shown

/** Another choice is another page: it is loaded anew. `undefined` follows the browser. */
export function chooseLanguage(language: Language | undefined): void {
  writeStored(STORAGE_KEY, language ?? '')
  location.reload()
}
