/**
 * The locale numbers and dates are written in: the language of the words on the page, in the region the browser prefers
 * (an English page in Britain writes British dates).
 */
export function formatLocale(): string {
  const language = globalThis.document?.documentElement.lang ?? 'en'
  return navigator.languages?.find((one) => one.startsWith(language)) ?? language
}
