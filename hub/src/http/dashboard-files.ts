import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { ownValue } from '@vedette/protocol/own-value'

/** File of the built dashboard, with its compressed variants that the build has written. */
export type DashboardFile = {
  readonly path: string
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
 * Lists the files of the built dashboard in a folder. `basePath` is the path under which browsers reach this hub, `''` for none. Returns
 * `undefined` when the folder contains no built dashboard.
 */
export function readDashboard(root: string, basePath = ''): Dashboard | undefined {
  const names = listFiles(root)
  const files = new Map(
    names.flatMap((name): [string, DashboardFile][] => {
      const type = ownValue(types, extname(name))
      return type === undefined ? [] : [[`/${name}`, describe(root, name, type, names)]]
    }),
  )
  function pageAt(place: string): Page | undefined {
    const built = files.get(`${place}index.html`)
    if (built === undefined) return undefined
    const file = basePath === '' ? built : pageWithBasePath(basePath, place, built)
    const page = { ...file, contentSecurityPolicy: policyFor(readFileSync(file.path, 'utf8')) }
    files.set(`${place}index.html`, page)
    return page
  }

  const page = pageAt('/')
  if (page === undefined) return undefined
  const backOffice = pageAt(BACK_OFFICE) ?? page
  return {
    find: (urlPath) => files.get(urlPath),
    pageOf: (urlPath) => (urlPath.startsWith(BACK_OFFICE) ? backOffice : page),
    read: async (file, encoding) =>
      file.text !== undefined
        ? new TextEncoder().encode(file.text)
        : new Uint8Array(await readFile(encoding === undefined ? file.path : file.path + suffixes[encoding])),
  }
}

/** Returns the file names below a folder, with forward slashes. Files of the build, which start with a dot, are left out. */
function listFiles(root: string): readonly string[] {
  try {
    return readdirSync(root, { recursive: true, encoding: 'utf8' })
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => !name.split('/').some((part) => part.startsWith('.')))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

function describe(root: string, name: string, type: string, names: readonly string[]): DashboardFile {
  const path = join(root, name)
  const etag = tagOf(readFileSync(path))
  const encodings = (['br', 'gzip'] as const).filter((encoding) => names.includes(name + suffixes[encoding]))
  return { path, type, etag, immutable: /^(?:_\/)?assets\//.test(name), encodings }
}

/**
 * Returns the data of an HTML page whose `base` element contains the hub's base path. The page is small, so it is sent without compression.
 */
function pageWithBasePath(basePath: string, place: string, page: DashboardFile): DashboardFile {
  const text = readFileSync(page.path, 'utf8').replace(`<base href="${place}" />`, () => `<base href="${basePath}${place}" />`)
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
