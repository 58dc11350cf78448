/**
 * Returns the locale for numbers and dates: the first of the browser's `preferred` locales that is in the dashboard's language, such as
 * `en-GB`, else the language itself.
 */
export const regionalLocale = (language: string, preferred: readonly string[]): string =>
  preferred.find((one) => one.startsWith(language) && isTag(one)) ?? language

/** Returns true for a valid BCP 47 tag. Browsers under a POSIX locale may report invalid tags such as "en-US@posix". */
function isTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}
