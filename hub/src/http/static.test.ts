import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { Hono } from 'hono'
import { filesIn } from '../platform/process/program-files.ts'
import { readDashboard } from './dashboard-files.ts'
import { serveDashboard } from './static.ts'

async function built(basePath = '') {
  const root = mkdtempSync(join(tmpdir(), 'vedette-static-'))
  mkdirSync(join(root, 'assets'))
  mkdirSync(join(root, '.vite'))
  writeFileSync(join(root, 'index.html'), '<html><script>theme()</script><script src="/assets/app-1a2b.js"></script></html>')
  writeFileSync(join(root, 'assets', 'app-1a2b.js'), 'console.log(1)')
  writeFileSync(join(root, 'assets', 'app-1a2b.js.br'), brotliCompressSync('console.log(1)'))
  writeFileSync(join(root, '.vite', 'manifest.json'), '{}')
  mkdirSync(join(root, '_', 'assets'), { recursive: true })
  writeFileSync(join(root, '_', 'index.html'), '<html><base href="/_/" /><script src="assets/office-3c4d.js"></script></html>')
  writeFileSync(join(root, '_', 'assets', 'office-3c4d.js'), 'console.log(2)')
  const dashboard = await readDashboard(filesIn(root), basePath)
  assert.ok(dashboard)
  const app = new Hono().get('*', serveDashboard(dashboard))
  return { app, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) }
}

test('serveDashboard sends hashed files as immutable, compressed if the client accepts it', async () => {
  using it = await built()
  const plain = await it.app.request('/assets/app-1a2b.js')
  assert.deepEqual([plain.status, plain.headers.get('content-encoding'), await plain.text()], [200, null, 'console.log(1)'])
  assert.match(plain.headers.get('cache-control') ?? '', /immutable/)
  const compressed = await it.app.request('/assets/app-1a2b.js', { headers: { 'accept-encoding': 'gzip, br;q=1' } })
  assert.equal(compressed.headers.get('content-encoding'), 'br')
  assert.equal(brotliDecompressSync(Buffer.from(await compressed.arrayBuffer())).toString(), 'console.log(1)')
})

test('serveDashboard sends the page for any other path, with a content security policy against foreign scripts', async () => {
  using it = await built()
  for (const path of ['/', '/system/web%201', '/no/such/page', '/.vite/manifest.json', '/../secret']) {
    const answer = await it.app.request(path)
    assert.equal(answer.status, 200)
    assert.match(await answer.text(), /^<html>/, path)
    assert.match(answer.headers.get('content-security-policy') ?? '', /script-src 'self' 'sha256-[^']+'/)
    assert.equal(answer.headers.get('cache-control'), 'no-cache')
  }
})

test('serveDashboard responds with 404 for a missing asset and 304 for an unchanged page', async () => {
  using it = await built()
  assert.equal((await it.app.request('/assets/app-old.js')).status, 404)
  const etag = (await it.app.request('/')).headers.get('etag') ?? ''
  assert.equal((await it.app.request('/', { headers: { 'if-none-match': etag } })).status, 304)
})

test('serveDashboard sends the back-office page below /_/ with its own content security policy', async () => {
  using it = await built()
  for (const path of ['/_/', '/_/index.html', '/_/whatever']) {
    const answer = await it.app.request(path)
    assert.match(await answer.text(), /<base href="\/_\/" \/>/, path)
    assert.match(answer.headers.get('content-security-policy') ?? '', /script-src 'self';/)
  }
  assert.match((await it.app.request('/_/assets/office-3c4d.js')).headers.get('cache-control') ?? '', /immutable/)
  assert.equal((await it.app.request('/_/assets/office-old.js')).status, 404)
  const short = await it.app.request('/_')
  assert.deepEqual([short.status, new URL(short.headers.get('location') ?? '', 'http://hub/_').pathname], [302, '/_/'])
  using below = await built('/monitor')
  assert.match(await (await below.app.request('/_/')).text(), /<base href="\/monitor\/_\/" \/>/)
})

test('readDashboard returns undefined for a folder without a page', async () => {
  assert.equal(await readDashboard(filesIn(join(tmpdir(), 'vedette-no-such-folder'))), undefined)
})
