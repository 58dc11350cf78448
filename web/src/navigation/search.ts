/**
 * Codec of one search parameter in a URL. `read` parses the parameter's text (`undefined` when invalid), `write` makes that text from a
 * value. `otherwise` is the value for a missing or invalid parameter.
 */
export type SearchParameter<T> = {
  readonly otherwise: T
  readonly read: (text: string) => T | undefined
  write(value: T): string
}

/** Object with a codec (functions that read and write) for each of a page's URL search parameters, by name of the parameter. */
export type SearchParameters<Values> = { readonly [Name in keyof Values]: SearchParameter<Values[Name]> }

/** Maximum length of a URL's search string, 10,000 UTF-16 units; a longer one counts as empty. */
const LONGEST_SEARCH = 10_000

/** Creates a codec for a URL parameter with a text of at most `longest` UTF-16 units; a longer text counts as missing. */
export const textField = (longest = 2_000): SearchParameter<string> => ({
  otherwise: '',
  read: (text) => (text.length > longest ? undefined : text),
  write: (value) => value,
})

/**
 * Creates a codec for a URL parameter that is one of several words. `otherwise` is the value for a missing parameter and for any other
 * text.
 */
export const wordField = <Word extends string, Otherwise extends string | undefined>(
  words: readonly Word[],
  otherwise: Otherwise,
): SearchParameter<Word | Otherwise> => ({
  otherwise,
  read: (text) => words.find((word) => word === text),
  write: (value) => value ?? '',
})

/** Creates a codec for a URL parameter with a whole number, at least `least` and at most 15 digits. Any other text counts as missing. */
export const numberField = <Otherwise extends number | undefined>(
  otherwise: Otherwise,
  least = 0,
): SearchParameter<number | Otherwise> => ({
  otherwise,
  read: (text) => (/^\d{1,15}$/.test(text) && Number(text) >= least ? Number(text) : undefined),
  write: (value) => (value === undefined ? '' : String(value)),
})

/**
 * Parses a URL's search string such as `sort=-cpu&filter=web` with the codecs `fields`. Returns an object from parameter name to value;
 * invalid and missing parameters get their defaults.
 */
export function readSearch<Values>(fields: SearchParameters<Values>, search: string): Values {
  const parameters = parametersOf(search)
  const values = Object.entries<SearchParameter<unknown>>(fields).map(([name, { read, otherwise }]) => {
    const text = parameters.get(name)
    return [name, (text === null ? undefined : read(text)) ?? otherwise] as const
  })
  return Object.fromEntries(values) as Values // one of its field's type for each name
}

/**
 * Returns a URL's search string after a change of some parameters. Changed parameters with their default value, an empty text or
 * `undefined` are left out; those without a codec in `fields` stay unchanged.
 */
export function changeSearch<Values>(fields: SearchParameters<Values>, search: string, change: Partial<Values>): string {
  const parameters = parametersOf(search)
  const changed = new Map<string, unknown>(Object.entries(change))
  for (const [name, field] of Object.entries<SearchParameter<unknown>>(fields)) {
    if (!changed.has(name)) continue
    const value = changed.get(name)
    const text = value === undefined || value === field.otherwise ? '' : field.write(value)
    if (text === '') parameters.delete(name)
    else parameters.set(name, text)
  }
  return parameters.toString()
}

const parametersOf = (search: string): URLSearchParams => new URLSearchParams(search.length > LONGEST_SEARCH ? '' : search)

/**
 * Returns a URL path with search parameters, such as `/logs?level=error`. `fields` has the codec of each parameter; those with their
 * default value are left out.
 */
export function addressOf<Values>(path: string, fields: SearchParameters<Values>, values: Partial<Values>): string {
  const search = changeSearch(fields, '', values)
  return search === '' ? path : `${path}?${search}`
}
