import { createHash } from 'node:crypto'
import type { ProgramFiles } from '../platform/process/program-files.ts'
import { entityTag, listBuiltFiles, readBuiltFile, type BuiltFile, type FileEncoding } from './built-files.ts'

/** Static file of the built dashboard. `text` is present for HTML pages, whose content depends on this hub's base path. */
export type DashboardFile = BuiltFile & {
  /** Text of an HTML page with this hub's base path inserted. It is sent instead of the file's content. Absent for other files. */
  readonly text?: string
}

/**
 * HTML page of the dashboard or of the back-office (admin pages). It is also the response for every unknown URL path below its own path.
 */
export type Page = DashboardFile & {
  /**
   * Value of the Content-Security-Policy header of this HTML page: only the hub's own origin, inline styles, `data:` images, and the page's
   * inline scripts by their hashes.
   */
  readonly contentSecurityPolicy: string
}

/**
 * Functions for the files of the built dashboard and of the back-office, the admin pages below `/_/`. `find` returns a file by URL path,
 * `pageOf` the HTML page for an unknown path, and `read` resolves to bytes.
 */
export type Dashboard = {
  readonly find: (urlPath: string) => DashboardFile | undefined
  /** Returns the HTML page that responds to a URL path: that of the back-office for `/_/` and below, otherwise that of the dashboard. */
  readonly pageOf: (urlPath: string) => Page
  readonly read: (file: DashboardFile, encoding: FileEncoding | undefined) => Promise<Uint8Array<ArrayBuffer>>
}

/** URL path `/_/` of the back-office (admin pages). Its folder in the build has the same name. */
export const BACK_OFFICE = '/_/'

/**
 * Lists the files of the built dashboard and resolves to them. `basePath` is the path under which browsers reach this hub, `''` for none.
 * Resolves to `undefined` if the program contains no built dashboard.
 */
export async function readDashboard(built: ProgramFiles, basePath = ''): Promise<Dashboard | undefined> {
  const files: Map<string, DashboardFile> = await listBuiltFiles(built)

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
    read: async (file, encoding) => (file.text === undefined ? readBuiltFile(built, file, encoding) : new TextEncoder().encode(file.text)),
  }
}

/**
 * Returns an HTML page of the dashboard with the hub's base path, such as `/monitor`, in its `base` element. `place` is the page's URL
 * path. The result has no compressed variants.
 */
function withBasePath(basePath: string, place: string, page: DashboardFile, html: string): DashboardFile {
  const text = html.replace(`<base href="${place}" />`, () => `<base href="${basePath}${place}" />`)
  return { ...page, text, etag: entityTag(text), encodings: [] }
}

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
