// A browser under a POSIX locale reports a language such as "en-US@posix", which `Intl` and the chart library refuse.
;(() => {
  const isTag = (text) => {
    try {
      return Intl.getCanonicalLocales(text).length === 1
    } catch {
      return false
    }
  }
  if (isTag(navigator.language)) return
  const [tag] = navigator.language.split('@')
  Object.defineProperty(navigator, 'language', { value: isTag(tag) ? tag : 'en', configurable: true })
})()
