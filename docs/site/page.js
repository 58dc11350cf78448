import { searchOptions } from './search-options.ts'

/** Maximum number of results in the list. */
const MAX_RESULTS = 12

/** Follows the operating system's theme while the page is open, unless the person chose one in the dashboard. */
function followTheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  dark.addEventListener('change', () => {
    let chosen
    try {
      chosen = localStorage.getItem('ui-theme')
    } catch {
      chosen = ''
    }
    if (chosen === 'dark' || chosen === 'light') return
    const { classList } = document.documentElement
    classList.toggle('dark', dark.matches)
    classList.toggle('light', !dark.matches)
  })
}

/** Loads the search library and the index, once. A failed attempt is repeated with the next input. */
function indexLoader(address) {
  let loading
  return () => {
    loading ??= Promise.all([import('minisearch'), fetch(address).then((response) => (response.ok ? response.text() : Promise.reject()))])
      .then(([{ default: MiniSearch }, text]) => MiniSearch.loadJSON(text, searchOptions))
      .catch(() => {
        loading = undefined
      })
    return loading
  }
}

function resultItem({ heading, page, address, excerpt }) {
  const item = document.createElement('li')
  const link = document.createElement('a')
  const title = document.createElement('b')
  const line = document.createElement('span')
  link.href = address
  title.textContent = heading === page ? page : `${page}: ${heading}`
  line.textContent = excerpt
  link.append(title, line)
  item.append(link)
  return item
}

function noteItem(text) {
  const item = document.createElement('li')
  item.className = 'none'
  item.textContent = text
  return item
}

function startSearch(form) {
  const [input, count, results] = ['input', '.count', '.results'].map((selector) => form.querySelector(selector))
  const load = indexLoader(form.dataset.index)
  const show = (items, text) => {
    results.replaceChildren(...items)
    count.textContent = text
  }
  const close = () => show([], '')
  const search = async () => {
    const query = input.value.trim()
    const index = await load()
    if (query !== input.value.trim()) return
    if (query === '') return close()
    if (index === undefined) return show([noteItem('The search could not be loaded. Try again.')], 'The search could not be loaded')
    const found = index.search(query).slice(0, MAX_RESULTS)
    if (found.length === 0) return show([noteItem('No results.')], 'No results')
    show(found.map(resultItem), `${found.length} results`)
  }
  const move = (event) => {
    if (event.key === 'Escape') {
      close()
      input.focus()
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    const places = [input, ...results.querySelectorAll('a')]
    const at = places.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1)
    event.preventDefault()
    places.at(at % places.length)?.focus()
  }
  input.addEventListener('focus', () => void load())
  input.addEventListener('input', () => void search())
  form.addEventListener('keydown', move)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    results.querySelector('a')?.click()
  })
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!form.contains(relatedTarget)) close()
  })
  // A click on a result on Safari takes the focus from the field without giving it to the link.
  results.addEventListener('pointerdown', (event) => event.preventDefault())
  results.addEventListener('click', close)
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest('input, textarea')) return
    event.preventDefault()
    input.focus()
  })
  form.hidden = false
}

followTheme()
startSearch(document.querySelector('.search'))
