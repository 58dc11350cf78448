import { levels, type LogEntry } from './log-entry.ts'

/**
 * Data of an HTTP request and its response, from which a log entry is made: times in ms, method, path, status, account and address. It
 * still contains secrets.
 */
export type AnsweredRequest = {
  readonly atMs: number
  readonly tookMs: number
  readonly method: string
  /** URL path of the logged HTTP request as the client sent it; it may contain secrets. */
  readonly path: string
  readonly search: string
  readonly status: number
  /** Size of the response to the logged HTTP request, in bytes; `undefined` when it was not counted. */
  readonly bytes: number | undefined
  /**
   * Name of the collection of the account that sent the logged request: `users` or `_superusers`. `account` is the account's id. Both are
   * `''` for a guest.
   */
  readonly auth: string
  readonly account: string
  /**
   * IP address of the client that sent the logged request, from a forwarding header if a trusted proxy sent it. `peer` is the address of
   * the TCP connection.
   */
  readonly address: string
  readonly peer: string
  readonly referer: string
  readonly browser: string
  /** Error message of the response when the logged request was rejected. `undefined` for any other request. */
  readonly refusal: string | undefined
}

const LONGEST_BROWSER = 250

/**
 * Creates the log entry of a finished request, without its body. Its only headers are the browser and the origin of the referer. `shown`
 * redacts the request's path and query.
 */
export function requestEntry(request: AnsweredRequest, shown: RedactedPath): LogEntry {
  const { atMs, tookMs, method, path, search, status, bytes, auth, account, address, peer, referer, browser, refusal } = request
  return {
    atMs,
    level: levelOf(method, path, status),
    message: `${method} ${shown(path, '')}`,
    status,
    account,
    address,
    data: {
      type: 'request',
      execTime: Math.round(tookMs * 1000) / 1000,
      status,
      method,
      url: shown(path, search),
      auth,
      authId: account,
      referer: originOf(referer),
      userAgent: browser.slice(0, LONGEST_BROWSER),
      userIP: address,
      remoteIP: peer,
      ...(bytes === undefined ? {} : { bytes }),
      ...(refusal === undefined ? {} : { error: refusal }),
    },
  }
}

/**
 * Set of the URL paths of health checks and agent connections, such as `/api/health`. Their log entries get the level `debug`, because they
 * are very frequent, unless the response has status 500 or more.
 */
const frequentPaths: ReadonlySet<string> = new Set(['/api/health', '/api/health/', '/api/beszel/agent-connect'])
/**
 * Regular expression for the URL paths of GET requests that read the log, such as `/api/logs`. Successful ones are logged with the level
 * `debug`, because viewing the log would otherwise fill it.
 */
const READS_LOG = /^\/api\/(?:vedette\/)?logs(?:\/|$)/

function levelOf(method: string, path: string, status: number): number {
  if (status >= 500) return levels.error
  if (frequentPaths.has(path) || method === 'OPTIONS') return levels.debug
  if (status >= 400) return levels.warn
  // Files of the dashboard.
  if (!path.startsWith('/api/')) return levels.debug
  return method === 'GET' && READS_LOG.test(path) ? levels.debug : levels.info
}

/**
 * Returns only the origin of a referer URL, such as `https://example.org`, because its path may hold a secret. Empty for an invalid URL.
 */
const originOf = (referer: string): string => (URL.canParse(referer) ? new URL(referer).origin.slice(0, 200) : '')

/**
 * Function that redacts a request's path and query (`search`) for the log, and returns both as one text. API names stay; values from
 * clients become `…`, except record ids and plain values such as numbers.
 */
export type RedactedPath = (path: string, search: string) => string

const RECORD_ID = /^[a-z0-9]{15}$/
/**
 * Regular expression for values of URL query parameters that the log may contain: numbers, `true`, `false`, and intervals such as `10m`.
 * Any other value becomes `…`.
 */
const PLAIN_VALUE = /^(?:-?\d{1,13}|true|false|1m|10m|20m|120m|480m)$/
const queryNames = new Set(
  'page perPage skipTotal sort filter fields expand type kind points from to before after limit system container service collection thumb download'.split(
    ' ',
  ),
)
const LONGEST_PATH = 300

/**
 * Returns a function that redacts paths and queries of requests for the log. It keeps path segments in `known` (route and collection
 * names), record ids in the path, and plain query values such as numbers. Everything else becomes `…`; the text is cut at 300 characters.
 */
export function redactedPath(known: ReadonlySet<string>): RedactedPath {
  const part = (text: string): string => (text === '' || known.has(text) || RECORD_ID.test(text) ? text : '…')
  return (path, search) => {
    const parts = path.split('/').map(part)
    const query = [...new URLSearchParams(search)]
      .map(([name, value]) => (queryNames.has(name) ? `${name}=${PLAIN_VALUE.test(value) ? value : '…'}` : '…'))
      .join('&')
    return `${parts.join('/')}${query === '' ? '' : `?${query}`}`.slice(0, LONGEST_PATH)
  }
}

/** Returns the fixed segments of the routes' paths as a list: `/api/logs/:id` gives `api` and `logs`. These are not redacted in the log. */
export const partsOfRoutes = (paths: readonly string[]): readonly string[] =>
  paths.flatMap((path) => path.split('/')).filter((one) => one !== '' && !one.startsWith(':') && !one.includes('*'))
