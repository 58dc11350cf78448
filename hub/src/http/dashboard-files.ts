import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

/** One file of the built dashboard, with the variants that were compressed while building. */
export type DashboardFile = {
  readonly path: string
  readonly type: string
  readonly etag: string
  /** Its name carries a hash of its content, so it never changes. */
  readonly immutable: boolean
  /** Content encodings there are beside the plain file, smallest first. */
  readonly encodings: readonly ('br' | 'gzip')[]
}

/** The built dashboard: few files, listed once at start; their contents are read when asked for. */
export type Dashboard = {
  readonly find: (urlPath: string) => DashboardFile | undefined
  readonly page: DashboardFile
  /** Content-Security-Policy: nothing but our own origin, and the page's own inline script by its hash. */
  readonly contentSecurityPolicy: string
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

/** `undefined` when the folder holds no built dashboard. */
export function readDashboard(root: string): Dashboard | undefined {
  const names = listFiles(root)
  const files = new Map(
    names.flatMap((name): [string, DashboardFile][] => {
      const type = types[extname(name)]
      return type === undefined ? [] : [[`/${name}`, describe(root, name, type, names)]]
    }),
  )
  const page = files.get('/index.html')
  if (page === undefined) return undefined
  return {
    find: (urlPath) => files.get(urlPath),
    page,
    contentSecurityPolicy: policyFor(readFileSync(page.path, 'utf8')),
    read: async (file, encoding) => new Uint8Array(await readFile(encoding === undefined ? file.path : file.path + suffixes[encoding])),
  }
}

/** Names below the folder with forward slashes; what begins with a dot is the build's own business. */
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
  const etag = `"${createHash('sha256').update(readFileSync(path)).digest('base64url').slice(0, 22)}"`
  const encodings = (['br', 'gzip'] as const).filter((encoding) => names.includes(name + suffixes[encoding]))
  return { path, type, etag, immutable: name.startsWith('assets/'), encodings }
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
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ')
}
