let known: string | undefined

/**
 * The locale numbers and dates are written in: the language of the words on the page, in the region the browser prefers
 * (an English page in Britain writes British dates).
 */
export function formatLocale(): string {
  known ??= regionalLocale()
  return known
}

function regionalLocale(): string {
  const language = globalThis.document?.documentElement.lang ?? 'en'
  return navigator.languages?.find((one) => one.startsWith(language) && isTag(one)) ?? language
}

/** Browsers started under a POSIX locale name languages that `Intl` refuses, such as "en-US@posix". */
function isTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}
