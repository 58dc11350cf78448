import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import { ownValue } from '@vedette/protocol/own-value'
import type { ProgramFiles } from '../platform/program-files.ts'

/** File of the built dashboard, with its compressed variants that the build has written. */
export type DashboardFile = {
  /** Name among the dashboard's files, such as `assets/index-1a2b.js`. */
  readonly name: string
  readonly type: string
  readonly etag: string
  /** True when the file name contains a hash of the content, so that the file never changes. */
  readonly immutable: boolean
  /** Text of an HTML page that was adapted to this hub's base path. It is sent instead of the file's content. */
  readonly text?: string
  /** List of the content encodings (`br`, `gzip`) in which the build has also stored the dashboard file, smallest variant first. */
  readonly encodings: readonly ('br' | 'gzip')[]
}

/**
 * HTML page of the dashboard or of the back-office (admin pages). It is also the response for every unknown path below the page's own path.
 */
export type Page = DashboardFile & {
  /** Value of the Content-Security-Policy header: only the hub's own origin, and the page's inline scripts by their hashes. */
  readonly contentSecurityPolicy: string
}

/**
 * Functions that find and read the files of the built dashboard, and of the back-office (admin pages) below `/_/`. Files are listed once at
 * the start, and read at each request.
 */
export type Dashboard = {
  readonly find: (urlPath: string) => DashboardFile | undefined
  /** Returns the HTML page for a path: the back-office below `/_/`, otherwise the dashboard. */
  readonly pageOf: (urlPath: string) => Page
  readonly read: (file: DashboardFile, encoding: 'br' | 'gzip' | undefined) => Promise<Uint8Array<ArrayBuffer>>
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}

const suffixes = { br: '.br', gzip: '.gz' } as const

/** Text `/_/`: URL path of the back-office (admin pages), and the name of its folder in the build. */
export const BACK_OFFICE = '/_/'

/**
 * Lists the files of the built dashboard. `basePath` is the path under which browsers reach this hub, `''` for none. Resolves with
 * `undefined` when there is no built dashboard among the files.
 */
export async function readDashboard(built: ProgramFiles, basePath = ''): Promise<Dashboard | undefined> {
  const names = new Set(built.list())
  const files = new Map<string, DashboardFile>()
  for (const name of names) {
    const type = ownValue(types, extname(name))
    if (type !== undefined) files.set(`/${name}`, describe(name, type, await built.read(name), names))
  }

  async function pageAt(place: string): Promise<Page | undefined> {
    const file = files.get(`${place}index.html`)
    if (file === undefined) return undefined
    const text = new TextDecoder().decode(await built.read(file.name))
    const page = { ...(basePath === '' ? file : withBasePath(basePath, place, file, text)), contentSecurityPolicy: policyFor(text) }
    files.set(`${place}index.html`, page)
    return page
  }

  const page = await pageAt('/')
  if (page === undefined) return undefined
  const backOffice = (await pageAt(BACK_OFFICE)) ?? page
  return {
    find: (urlPath) => files.get(urlPath),
    pageOf: (urlPath) => (urlPath.startsWith(BACK_OFFICE) ? backOffice : page),
    read: async ({ name, text }, encoding) =>
      text === undefined ? built.read(encoding === undefined ? name : name + suffixes[encoding]) : new TextEncoder().encode(text),
  }
}

function describe(name: string, type: string, content: Uint8Array, names: ReadonlySet<string>): DashboardFile {
  const encodings = (['br', 'gzip'] as const).filter((encoding) => names.has(name + suffixes[encoding]))
  return { name, type, etag: tagOf(content), immutable: /^(?:_\/)?assets\//.test(name), encodings }
}

/**
 * Returns the data of an HTML page whose `base` element contains the hub's base path. The page is small, so it is sent without compression.
 */
function withBasePath(basePath: string, place: string, page: DashboardFile, html: string): DashboardFile {
  const text = html.replace(`<base href="${place}" />`, () => `<base href="${basePath}${place}" />`)
  return { ...page, text, etag: tagOf(text), encodings: [] }
}

const tagOf = (content: string | Uint8Array): string => `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`

function policyFor(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(([, script = '']) => {
    return `'sha256-${createHash('sha256').update(script).digest('base64')}'`
  })
  return [
    "default-src 'self'",
    ["script-src 'self'", ...inline].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ')
}
