import { levels, type LogEntry } from './log-entry.ts'
import type { RedactedPath } from './redacted-path.ts'

/** One request and its answer, as they came. */
export type AnsweredRequest = {
  readonly atMs: number
  readonly tookMs: number
  readonly method: string
  /** As it was asked for, and may hold anything. */
  readonly path: string
  readonly search: string
  readonly status: number
  /** Of the answer's body; undefined where nobody counted them. */
  readonly bytes: number | undefined
  /** The collection somebody signed in through, and their id; `''` for nobody. */
  readonly auth: string
  readonly account: string
  /** Who is at the other end as far as proxies tell, and who is for certain. */
  readonly address: string
  readonly peer: string
  readonly referer: string
  readonly browser: string
  /** What the hub said to somebody it refused. */
  readonly refusal: string | undefined
}

const LONGEST_BROWSER = 250

/** What is kept of a request: no header, no body, no query but what {@link RedactedPath} lets through. */
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

/** What comes all the time by itself, and would drown the rest: programs that ask whether the hub lives, agents that knock. */
const constant: ReadonlySet<string> = new Set(['/api/health', '/api/health/', '/api/beszel/agent-connect'])
/** Who reads the log does not write it. */
const READS_LOG = /^\/api\/(?:vedette\/)?logs(?:\/|$)/

function levelOf(method: string, path: string, status: number): number {
  if (status >= 500) return levels.error
  if (constant.has(path) || method === 'OPTIONS') return levels.debug
  if (status >= 400) return levels.warn
  // The dashboard's own files.
  if (!path.startsWith('/api/')) return levels.debug
  return method === 'GET' && READS_LOG.test(path) ? levels.debug : levels.info
}

/** Without the path, which may hold what nobody else should see. */
const originOf = (referer: string): string => (URL.canParse(referer) ? new URL(referer).origin.slice(0, 200) : '')
