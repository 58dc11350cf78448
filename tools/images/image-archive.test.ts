import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { imageArchive, type Image } from './image-archive.ts'
import { tarArchive, type TarEntry } from './tar-archive.ts'

const AT_SECONDS = Date.UTC(2026, 0, 2, 3, 4, 5) / 1000

const entries: readonly TarEntry[] = [
  { path: 'bin', kind: 'link', to: 'usr/bin' },
  { path: 'data', kind: 'folder', mode: 0o700, user: 65_532 },
  { path: 'tmp', kind: 'folder', mode: 0o1777 },
  { path: 'usr/bin/tool', kind: 'file', mode: 0o755, content: Buffer.alloc(1000, 'a') },
  { path: 'usr/empty', kind: 'file', mode: 0o644, content: Buffer.alloc(0) },
]

const image: Image = {
  names: ['example/tool:1.0', 'example/tool:latest'],
  architecture: 'arm64',
  createdSeconds: AT_SECONDS,
  layers: [entries],
  labels: { 'org.opencontainers.image.title': 'Tool' },
  settings: {
    Entrypoint: ['/bin/tool'],
    Env: ['A=1'],
    Volumes: {},
    Healthcheck: { Test: ['CMD', '/bin/tool'], Interval: 1, Timeout: 1, StartPeriod: 1, StartInterval: 1 },
  },
}

test('tarArchive: tar(1) lists modes, owners, sizes, times and links', () => {
  const listed = execFileSync('tar', ['--list', '--verbose', '--numeric-owner', '--utc', '--full-time'], {
    input: tarArchive(entries, AT_SECONDS),
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
  })
  assert.deepEqual(
    listed
      .trim()
      .split('\n')
      .map((line) => line.replaceAll(/\s+/g, ' ')),
    [
      'lrwxrwxrwx 0/0 0 2026-01-02 03:04:05 bin -> usr/bin',
      'drwx------ 65532/65532 0 2026-01-02 03:04:05 data/',
      'drwxrwxrwt 0/0 0 2026-01-02 03:04:05 tmp/',
      '-rwxr-xr-x 0/0 1000 2026-01-02 03:04:05 usr/bin/tool',
      '-rw-r--r-- 0/0 0 2026-01-02 03:04:05 usr/empty',
    ],
  )
})

test('tarArchive refuses a path that its header cannot hold', () =>
  assert.throws(() => tarArchive([{ path: 'a'.repeat(101), kind: 'folder', mode: 0o755 }], 0), RangeError))

test('imageArchive: index, manifest, configuration and layers refer to each other by their checksums, for OCI and for Docker', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-image-'))
  try {
    const { tar, compressedBytes } = imageArchive(image)
    writeFileSync(join(folder, 'image.tar'), tar)
    execFileSync('tar', ['-xf', 'image.tar'], { cwd: folder })
    type Descriptor = { readonly digest: string; readonly size: number }
    const read = (path: string): Buffer => readFileSync(join(folder, path))
    // Written by imageArchive in the shapes that are named below.
    const parsed = (bytes: Buffer): unknown => JSON.parse(bytes.toString('utf8'))
    const blob = ({ digest, size }: Descriptor): Buffer => {
      const bytes = read(`blobs/${digest.replace(':', '/')}`)
      assert.deepEqual([`sha256:${createHash('sha256').update(bytes).digest('hex')}`, bytes.length], [digest, size])
      return bytes
    }
    const { manifests } = parsed(read('index.json')) as { readonly manifests: readonly Descriptor[] }
    assert.equal(manifests.length, image.names.length)
    for (const descriptor of manifests) {
      const { config, layers } = parsed(blob(descriptor)) as { readonly config: Descriptor; readonly layers: readonly Descriptor[] }
      const unpacked = layers.map((layer) => gunzipSync(blob(layer)))
      assert.deepEqual(unpacked, [tarArchive(entries, AT_SECONDS)])
      assert.equal(compressedBytes, layers[0]?.size)
      const { architecture, created, rootfs } = parsed(blob(config)) as Record<'architecture' | 'created', string> & {
        readonly rootfs: object
      }
      const ids = unpacked.map((bytes) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`)
      assert.deepEqual(
        { architecture, created, rootfs },
        { architecture: 'arm64', created: '2026-01-02T03:04:05Z', rootfs: { type: 'layers', diff_ids: ids } },
      )
      assert.deepEqual(parsed(read('manifest.json')), [
        {
          Config: `blobs/${config.digest.replace(':', '/')}`,
          RepoTags: image.names,
          Layers: layers.map(({ digest }) => `blobs/${digest.replace(':', '/')}`),
        },
      ])
    }
    assert.deepEqual(imageArchive(image).tar, tar)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
