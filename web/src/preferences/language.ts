export type Language = 'en' | 'de'

/** Each by its own name, so that who cannot read the page finds theirs. */
export const languages: readonly { readonly id: Language; readonly name: string }[] = [
  { id: 'en', name: 'English' },
  { id: 'de', name: 'Deutsch' },
]

/** The language in a list such as `navigator.languages` that the page speaks first; English when it speaks none of them. */
export const languageOf = (wanted: readonly string[]): Language =>
  wanted.flatMap((tag) => languages.filter(({ id }) => tag.toLowerCase().split('-')[0] === id))[0]?.id ?? 'en'
