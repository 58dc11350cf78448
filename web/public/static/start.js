;(() => {
  const isTag = (text) => {
    try {
      return Intl.getCanonicalLocales(text).length === 1
    } catch {
      return false
    }
  }
  const { language } = navigator
  if (!isTag(language)) {
    const [tag] = language.split('@')
    Object.defineProperty(navigator, 'language', { value: isTag(tag) ? tag : 'en', configurable: true })
  }
  let theme
  try {
    theme = localStorage.getItem('ui-theme')
  } catch {
    theme = ''
  }
  const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.add(isDark ? 'dark' : 'light')
})()
