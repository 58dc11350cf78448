// Reads messages/{locale}.json: a flat object of texts in which {name} stands for a parameter. A module of our own, because
// the compiler would otherwise download one at every build; it is evaluated on its own and may not import anything.

const decode = (content) => JSON.parse(new TextDecoder().decode(content))

const toPattern = (text) =>
  text
    .split(/\{(\w+)\}/)
    .map((part, index) =>
      index % 2 === 0 ? { type: 'text', value: part } : { type: 'expression', arg: { type: 'variable-reference', name: part } },
    )
    .filter((part) => part.type !== 'text' || part.value !== '')

const parameterNames = (text) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))]

// oxlint-disable-next-line import/no-default-export -- the compiler asks for the default export of a module
export default {
  key: 'vedette.flatMessages',
  toBeImportedFiles: ({ settings }) => settings.locales.map((locale) => ({ path: `./messages/${locale}.json`, locale })),
  importFiles: ({ files }) => {
    const bundles = new Map()
    const messages = []
    const variants = []
    for (const { locale, content } of files) {
      for (const [id, text] of Object.entries(decode(content))) {
        const declarations = parameterNames(text).map((name) => ({ type: 'input-variable', name }))
        if (!bundles.has(id)) bundles.set(id, { id, declarations })
        messages.push({ bundleId: id, locale, selectors: [] })
        variants.push({ messageBundleId: id, messageLocale: locale, matches: [], pattern: toPattern(text) })
      }
    }
    return { bundles: [...bundles.values()], messages, variants }
  },
}
