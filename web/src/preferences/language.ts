export type Language = 'en' | 'de'

/** List of the supported languages: id (`en`, `de`), and name in the language itself. */
export const languages: readonly { readonly id: Language; readonly name: string }[] = [
  { id: 'en', name: 'English' },
  { id: 'de', name: 'Deutsch' },
]

/** Returns the first supported language in a list such as `navigator.languages`; English when there is none. */
export const languageOf = (wanted: readonly string[]): Language =>
  wanted.flatMap((tag) => languages.filter(({ id }) => tag.toLowerCase().split('-')[0] === id))[0]?.id ?? 'en'
