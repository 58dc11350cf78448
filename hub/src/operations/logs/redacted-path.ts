/** What of a request's address may be kept: what it is made of, never what somebody put into it. */
export type RedactedPath = (path: string, search: string) => string

const RECORD_ID = /^[a-z0-9]{15}$/
/** Its values are numbers, flags or one of a few words; others are left out. */
const PLAIN_VALUE = /^(?:-?\d{1,13}|true|false|1m|10m|20m|120m|480m)$/
const queryNames = new Set(
  'page perPage skipTotal sort filter fields expand type kind points from to before after limit system container service collection thumb download'.split(
    ' ',
  ),
)
const LONGEST = 300

/**
 * Parts of a path are kept where they are parts of a route, names of collections or ids of records; a query where its names are
 * known and its values are numbers. Everything else is `…`: tokens stand in paths, codes in queries, and names of people in both.
 */
export function redactedPath(known: ReadonlySet<string>): RedactedPath {
  const part = (text: string): string => (text === '' || known.has(text) || RECORD_ID.test(text) ? text : '…')
  return (path, search) => {
    const parts = path.split('/').map(part)
    const query = [...new URLSearchParams(search)]
      .map(([name, value]) => (queryNames.has(name) ? `${name}=${PLAIN_VALUE.test(value) ? value : '…'}` : '…'))
      .join('&')
    return `${parts.join('/')}${query === '' ? '' : `?${query}`}`.slice(0, LONGEST)
  }
}

/** The parts that paths of routes have in common with what is asked for. */
export const partsOfRoutes = (paths: readonly string[]): readonly string[] =>
  paths.flatMap((path) => path.split('/')).filter((one) => one !== '' && !one.startsWith(':') && !one.includes('*'))
