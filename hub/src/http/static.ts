import type { Context } from 'hono'
import { notFound } from '../records/model/record-error.ts'
import type { BuiltFile, FileEncoding } from './built-files.ts'
import { BACK_OFFICE, type Dashboard, type DashboardFile, type Page } from './dashboard-files.ts'

/**
 * URL path of the WebSocket of agents with a trailing slash. The hub answers it with the dashboard's page instead of 404, because agents
 * then retry, as they do with other hubs.
 */
const AGENT_WITH_SLASH = '/api/beszel/agent-connect/'

/**
 * Returns the handler of GET and HEAD outside the API: files of the dashboard, and the dashboard's page for other paths, because it has its
 * own router. Unknown assets, and other paths below `/api` and `/static`, give 404. Clients cache hashed files forever and revalidate all
 * others.
 */
export function serveDashboard(dashboard: Dashboard): (context: Context) => Promise<Response> {
  return async (context) => {
    const path = new URL(context.req.url).pathname
    const found = dashboard.find(path)
    if (path === BACK_OFFICE.slice(0, -1)) return context.redirect(`.${BACK_OFFICE}`)
    if (found === undefined && /^(?:\/_)?\/assets\//.test(path)) return context.text('There is no such file.', 404)
    if (found === undefined && path !== AGENT_WITH_SLASH && /^\/(?:static\/|api(?:\/|$))/.test(path)) throw notFound()
    const file = found ?? dashboard.pageOf(path)
    return sendBuiltFile(context, { file, read: (encoding) => dashboard.read(file, encoding), headers: policyHeaders(file) })
  }
}

/**
 * Response that sends a built file of the dashboard or documents. `read` resolves to the file's bytes in an encoding; `headers` are added
 * to the response; `status` is 200 by default.
 */
type FileResponse = {
  readonly file: BuiltFile
  readonly read: (encoding: FileEncoding | undefined) => Promise<Uint8Array<ArrayBuffer>>
  readonly headers: Readonly<Record<string, string>>
  readonly status?: 200 | 404
}

/**
 * Resolves with the response that contains a built file, compressed if the client accepts it. The response is 304 without content when the
 * client has this version.
 */
export async function sendBuiltFile(context: Context, { file, read, headers: added, status = 200 }: FileResponse): Promise<Response> {
  const headers: Record<string, string> = {
    'Content-Type': file.type,
    'Cache-Control': file.immutable && status === 200 ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: file.etag,
    Vary: 'Accept-Encoding',
    ...added,
  }
  if (status === 200 && context.req.header('if-none-match') === file.etag) return new Response(null, { status: 304, headers })
  const accepted = (context.req.header('accept-encoding') ?? '').split(',').map((part) => part.split(';')[0]?.trim())
  const encoding = file.encodings.find((one) => accepted.includes(one))
  if (encoding !== undefined) headers['Content-Encoding'] = encoding
  return new Response(await read(encoding), { status, headers })
}

const policyHeaders = (file: DashboardFile | Page): Record<string, string> =>
  'contentSecurityPolicy' in file ? { 'Content-Security-Policy': file.contentSecurityPolicy, 'Referrer-Policy': 'same-origin' } : {}
