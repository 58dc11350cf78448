import type { Context } from 'hono'
import type { ProgramFiles } from '../platform/process/program-files.ts'
import { listBuiltFiles, readBuiltFile, type BuiltFile } from './built-files.ts'
import { sendBuiltFile } from './static.ts'

/** URL path `/docs/` under which the hub serves the documents for operators. */
export const DOCUMENTS = '/docs/'

/**
 * Built documents for operators: map `files` from path below `/docs/` to file, and `notFound`, the page that is the response to an unknown
 * path.
 */
export type Documents = {
  readonly built: ProgramFiles
  readonly files: ReadonlyMap<string, BuiltFile>
  readonly notFound: BuiltFile
}

/**
 * Value of the Content-Security-Policy header of every document: only files of the hub. The pages have no inline scripts or styles, no
 * forms and no frames.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Lists the files of the built documents (below `/docs/`) and resolves to them. Resolves to `undefined` if the program contains no built
 * documents.
 */
export async function readDocuments(built: ProgramFiles): Promise<Documents | undefined> {
  const files = await listBuiltFiles(built)
  const notFound = files.get('/404.html')
  return notFound === undefined || !files.has('/index.html') ? undefined : { built, files, notFound }
}

/**
 * Returns the handler of GET and HEAD at `/docs` and below. It needs no account, because the documents hold nothing secret. Redirects
 * `/docs` to `/docs/`; responds to an unknown path with the documents' own 404 page. Below a folder other than `/docs/assets/`, it first
 * redirects to `/docs/NAME`.
 */
export function serveDocuments({ built, files, notFound }: Documents): (context: Context) => Promise<Response> {
  return async (context) => {
    const path = new URL(context.req.url).pathname
    if (path === DOCUMENTS.slice(0, -1)) return context.redirect(`.${DOCUMENTS}`)
    const name = path.slice(DOCUMENTS.length - 1)
    const found = files.get(name === '/' ? '/index.html' : name)
    const folders = name.split('/').length - 2
    // Pages have relative links, so the 404 page works only directly below `/docs/`.
    if (found === undefined && folders > 0 && !name.startsWith('/assets/'))
      return context.redirect(`${'../'.repeat(folders)}${/([^/]+)\/*$/.exec(name)?.[1] ?? ''}`)
    const file = found ?? notFound
    return sendBuiltFile(context, {
      file,
      read: (encoding) => readBuiltFile(built, file, encoding),
      headers: { 'Content-Security-Policy': POLICY, 'Referrer-Policy': 'same-origin' },
      status: found === undefined ? 404 : 200,
    })
  }
}
