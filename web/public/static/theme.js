// Before the first paint, so that the chosen theme never flashes in; preferences/theme.ts follows it from then on.
;(() => {
  let stored
  try {
    stored = localStorage.getItem('ui-theme')
  } catch {
    // Storage is forbidden: the system's theme is shown.
  }
  const dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.add(dark ? 'dark' : 'light')
})()
