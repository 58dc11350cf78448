/** The locale of numbers and dates: the page's language in the region that the browser prefers. An English page in Britain writes British dates. */
export const regionalLocale = (language: string, preferred: readonly string[]): string =>
  preferred.find((one) => one.startsWith(language) && isTag(one)) ?? language

/** Browsers started under a POSIX locale name languages that `Intl` refuses, such as "en-US@posix". */
function isTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}
