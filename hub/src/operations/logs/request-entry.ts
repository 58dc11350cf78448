import { levels, type LogEntry } from './log-entry.ts'

/** A request and its response, not redacted. */
export type AnsweredRequest = {
  readonly atMs: number
  readonly tookMs: number
  readonly method: string
  /** Path as the client sent it. It may hold any text, also a secret. */
  readonly path: string
  readonly search: string
  readonly status: number
  /** Bytes of the response; `undefined` when they are not counted. */
  readonly bytes: number | undefined
  /** Collection of the session, and id of the account; both are `''` for a guest. */
  readonly auth: string
  readonly account: string
  /** Address of the client according to trusted proxies, and the peer of the connection. */
  readonly address: string
  readonly peer: string
  readonly referer: string
  readonly browser: string
  /** Error message of a refused request. */
  readonly refusal: string | undefined
}

const LONGEST_BROWSER = 250

/** The log entry of a request. It has no headers and no body, and of the query only the part that {@link RedactedPath} keeps. */
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

/** Paths of health checks and agent connections. They are constantly requested and would hide other entries. */
const constant: ReadonlySet<string> = new Set(['/api/health', '/api/health/', '/api/beszel/agent-connect'])
/** Requests for the log itself. They must not fill it. */
const READS_LOG = /^\/api\/(?:vedette\/)?logs(?:\/|$)/

function levelOf(method: string, path: string, status: number): number {
  if (status >= 500) return levels.error
  if (constant.has(path) || method === 'OPTIONS') return levels.debug
  if (status >= 400) return levels.warn
  // Files of the dashboard.
  if (!path.startsWith('/api/')) return levels.debug
  return method === 'GET' && READS_LOG.test(path) ? levels.debug : levels.info
}

/** The origin of a referer. Its path may hold a secret. */
const originOf = (referer: string): string => (URL.canParse(referer) ? new URL(referer).origin.slice(0, 200) : '')

/** Redacts the path and query of a request for the log. It keeps names of the API and no value of a client. */
export type RedactedPath = (path: string, search: string) => string

const RECORD_ID = /^[a-z0-9]{15}$/
/** Query values that may be logged: numbers, flags and a few words. */
const PLAIN_VALUE = /^(?:-?\d{1,13}|true|false|1m|10m|20m|120m|480m)$/
const queryNames = new Set(
  'page perPage skipTotal sort filter fields expand type kind points from to before after limit system container service collection thumb download'.split(
    ' ',
  ),
)
const LONGEST_PATH = 300

/**
 * Keeps path segments that are route names, collection names or record ids, and known names of a query. The rest becomes `…`: paths
 * hold tokens, queries hold codes, and both hold names of users.
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
