// Before the first paint, so that the chosen theme never flashes in; preferences/theme.ts follows it from then on.
;(() => {
  const stored = localStorage.getItem('ui-theme')
  const dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.add(dark ? 'dark' : 'light')
})()
