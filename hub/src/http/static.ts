import type { Context } from 'hono'
import { notFound } from '../records/record-error.ts'
import type { Dashboard, DashboardFile } from './dashboard-files.ts'

/**
 * Answers GET and HEAD of everything that is no API: files of the dashboard, and its page for every other address, since
 * the dashboard itself knows its routes. Hashed files may be kept for ever; all others are asked for again by their tag.
 */
export function serveDashboard(dashboard: Dashboard): (context: Context) => Promise<Response> {
  return async (context) => {
    const path = new URL(context.req.url).pathname
    const found = dashboard.find(path)
    if (found === undefined && path.startsWith('/assets/')) return context.text('There is no such file.', 404)
    if (found === undefined && path.startsWith('/static/')) throw notFound()
    const file = found ?? dashboard.page
    const headers = headersOf(dashboard, file)
    if (context.req.header('if-none-match') === file.etag) return new Response(null, { status: 304, headers })
    const accepted = (context.req.header('accept-encoding') ?? '').split(',').map((part) => part.split(';')[0]?.trim())
    const encoding = file.encodings.find((one) => accepted.includes(one))
    if (encoding !== undefined) headers['Content-Encoding'] = encoding
    return new Response(await dashboard.read(file, encoding), { status: 200, headers })
  }
}

function headersOf(dashboard: Dashboard, file: DashboardFile): Record<string, string> {
  return {
    'Content-Type': file.type,
    'Cache-Control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: file.etag,
    Vary: 'Accept-Encoding',
    ...(file === dashboard.page ? { 'Content-Security-Policy': dashboard.contentSecurityPolicy, 'Referrer-Policy': 'same-origin' } : {}),
  }
}
