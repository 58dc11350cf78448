import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { Hono } from 'hono'
import { filesIn } from '../platform/process/program-files.ts'
import { readDocuments, serveDocuments } from './documents.ts'

async function built() {
  const root = mkdtempSync(join(tmpdir(), 'vedette-documents-'))
  mkdirSync(join(root, 'assets'))
  for (const name of ['index', 'install', '404']) writeFileSync(join(root, `${name}.html`), `<h1>${name}</h1>`)
  writeFileSync(join(root, 'install.html.br'), brotliCompressSync('<h1>install</h1>'))
  writeFileSync(join(root, 'assets', 'page-1a2b.js'), 'search()')
  writeFileSync(join(root, '.built-from'), 'a fingerprint')
  const documents = await readDocuments(filesIn(root))
  assert.ok(documents)
  const app = new Hono().get('/docs', serveDocuments(documents)).get('/docs/*', serveDocuments(documents))
  return { app, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) }
}

test('serveDocuments redirects /docs to its folder by a relative address, so that a base path of a proxy stays', async () => {
  using it = await built()
  const moved = await it.app.request('/docs')
  assert.deepEqual([moved.status, moved.headers.get('location')], [302, './docs/'])
})

test('serveDocuments sends pages that allow only scripts, styles and images of the hub, and no forms or frames', async () => {
  using it = await built()
  for (const [path, title] of [
    ['/docs/', 'index'],
    ['/docs/install.html', 'install'],
  ] as const) {
    const page = await it.app.request(path)
    assert.deepEqual([page.status, await page.text()], [200, `<h1>${title}</h1>`])
    const policy = page.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'/)
    assert.doesNotMatch(policy, /unsafe|data:/)
    assert.equal(page.headers.get('cache-control'), 'no-cache')
  }
})

test('serveDocuments sends the own 404 page for an unknown path, also for hidden and outside files', async () => {
  using it = await built()
  for (const path of [
    '/docs/no-such-page.html',
    '/docs/.built-from',
    '/docs/..%2Fsecret',
    '/docs/assets/page-old.js',
    '/docs/constructor',
  ]) {
    const page = await it.app.request(path)
    assert.deepEqual([page.status, await page.text()], [404, '<h1>404</h1>'], path)
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  }
})

test('serveDocuments redirects an unknown path below a folder to the page of that name, by a relative address', async () => {
  using it = await built()
  for (const [path, location] of [
    ['/docs/guides/install.html', '../install.html'],
    ['/docs/install.html/', '../install.html'],
    ['/docs/a/b/c', '../../c'],
    ['/docs//example.com', '../example.com'],
    ['/docs///', '../../'],
  ] as const) {
    const moved = await it.app.request(path)
    assert.deepEqual([moved.status, moved.headers.get('location')], [302, location], path)
  }
})

test('serveDocuments compresses, revalidates pages and lets browsers cache hashed files', async () => {
  using it = await built()
  const compressed = await it.app.request('/docs/install.html', { headers: { 'accept-encoding': 'br' } })
  assert.equal(compressed.headers.get('content-encoding'), 'br')
  assert.equal(brotliDecompressSync(Buffer.from(await compressed.arrayBuffer())).toString(), '<h1>install</h1>')
  const etag = compressed.headers.get('etag') ?? ''
  assert.equal((await it.app.request('/docs/install.html', { headers: { 'if-none-match': etag } })).status, 304)
  assert.match((await it.app.request('/docs/assets/page-1a2b.js')).headers.get('cache-control') ?? '', /immutable/)
})

test('readDocuments resolves with undefined for a folder without pages', async () => {
  assert.equal(await readDocuments(filesIn(join(tmpdir(), 'vedette-no-such-folder'))), undefined)
})
