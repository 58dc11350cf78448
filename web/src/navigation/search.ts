/** A value in the search part of an address. `read` gives `undefined` for text that is no such value; `otherwise` stands for that and for none. */
export type SearchField<T> = {
  readonly otherwise: T
  readonly read: (text: string) => T | undefined
  write(value: T): string
}

/** The values of a page by their names in the address. */
export type SearchFields<Values> = { readonly [Name in keyof Values]: SearchField<Values[Name]> }

/** A search that is longer holds nothing: no page writes one. */
const LONGEST_SEARCH = 10_000

/** Text of at most `longest` UTF-16 units; longer ones are none. */
export const textField = (longest = 2_000): SearchField<string> => ({
  otherwise: '',
  read: (text) => (text.length > longest ? undefined : text),
  write: (value) => value,
})

/** One of a few words. */
export const wordField = <Word extends string, Otherwise extends string | undefined>(
  words: readonly Word[],
  otherwise: Otherwise,
): SearchField<Word | Otherwise> => ({
  otherwise,
  read: (text) => words.find((word) => word === text),
  write: (value) => value ?? '',
})

/** A whole number from `least` on, of at most 15 digits. */
export const numberField = <Otherwise extends number | undefined>(otherwise: Otherwise, least = 0): SearchField<number | Otherwise> => ({
  otherwise,
  read: (text) => (/^\d{1,15}$/.test(text) && Number(text) >= least ? Number(text) : undefined),
  write: (value) => (value === undefined ? '' : String(value)),
})

/** The values of a search such as `sort=-cpu&filter=web`. Whatever is wrong with it, each value is one of its type. */
export function readSearch<Values>(fields: SearchFields<Values>, search: string): Values {
  const parameters = parametersOf(search)
  const values = Object.entries<SearchField<unknown>>(fields).map(([name, { read, otherwise }]) => {
    const text = parameters.get(name)
    return [name, (text === null ? undefined : read(text)) ?? otherwise] as const
  })
  return Object.fromEntries(values) as Values // one of its field's type for each name
}

/** The search after a change. Values that are as without one are left out, and parameters of others stay. */
export function changeSearch<Values>(fields: SearchFields<Values>, search: string, change: Partial<Values>): string {
  const parameters = parametersOf(search)
  const changed = new Map<string, unknown>(Object.entries(change))
  for (const [name, field] of Object.entries<SearchField<unknown>>(fields)) {
    if (!changed.has(name)) continue
    const value = changed.get(name)
    const text = value === undefined || value === field.otherwise ? '' : field.write(value)
    if (text === '') parameters.delete(name)
    else parameters.set(name, text)
  }
  return parameters.toString()
}

const parametersOf = (search: string): URLSearchParams => new URLSearchParams(search.length > LONGEST_SEARCH ? '' : search)

/** The address of a page with values in its search: `/logs?level=error`. */
export function addressOf<Values>(path: string, fields: SearchFields<Values>, values: Partial<Values>): string {
  const search = changeSearch(fields, '', values)
  return search === '' ? path : `${path}?${search}`
}
