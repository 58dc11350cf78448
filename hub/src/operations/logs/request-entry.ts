import { levels, type LogEntry } from './log-entry.ts'

/** A request and its response, as they came. */
export type AnsweredRequest = {
  readonly atMs: number
  readonly tookMs: number
  readonly method: string
  /** As the client sent it; it may hold anything. */
  readonly path: string
  readonly search: string
  readonly status: number
  /** Bytes of the response; undefined where they are not counted. */
  readonly bytes: number | undefined
  /** The collection of the session and the account's id; `''` for a guest. */
  readonly auth: string
  readonly account: string
  /** The client as far as trusted proxies tell, and the peer of the connection. */
  readonly address: string
  readonly peer: string
  readonly referer: string
  readonly browser: string
  /** The message of a refused request. */
  readonly refusal: string | undefined
}

const LONGEST_BROWSER = 250

/** The log entry of a request: no header, no body, and of the query what {@link RedactedPath} leaves. */
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

/** Health checks and agents that connect: they come all the time and would hide the rest. */
const constant: ReadonlySet<string> = new Set(['/api/health', '/api/health/', '/api/beszel/agent-connect'])
/** Reading the log must not fill it. */
const READS_LOG = /^\/api\/(?:vedette\/)?logs(?:\/|$)/

function levelOf(method: string, path: string, status: number): number {
  if (status >= 500) return levels.error
  if (constant.has(path) || method === 'OPTIONS') return levels.debug
  if (status >= 400) return levels.warn
  // The dashboard's own files.
  if (!path.startsWith('/api/')) return levels.debug
  return method === 'GET' && READS_LOG.test(path) ? levels.debug : levels.info
}

/** Without the path, which may hold a secret. */
const originOf = (referer: string): string => (URL.canParse(referer) ? new URL(referer).origin.slice(0, 200) : '')

/** The path and query of a request as the log may keep them: the parts of the API, and no value of a client. */
export type RedactedPath = (path: string, search: string) => string

const RECORD_ID = /^[a-z0-9]{15}$/
/** Query values that are kept: numbers, flags and a few words. */
const PLAIN_VALUE = /^(?:-?\d{1,13}|true|false|1m|10m|20m|120m|480m)$/
const queryNames = new Set(
  'page perPage skipTotal sort filter fields expand type kind points from to before after limit system container service collection thumb download'.split(
    ' ',
  ),
)
const LONGEST_PATH = 300

/**
 * Keeps the parts of a path that are parts of a route, names of collections or ids of records, and known names of a query. The rest becomes
 * `…`: tokens stand in paths, codes in queries, and names of people in both.
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

/** The fixed segments of the routes' paths. */
export const partsOfRoutes = (paths: readonly string[]): readonly string[] =>
  paths.flatMap((path) => path.split('/')).filter((one) => one !== '' && !one.startsWith(':') && !one.includes('*'))
