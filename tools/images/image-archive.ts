import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { tarArchive, type TarEntry } from './tar-archive.ts'

/** Content and settings of a container image for Linux. */
export type Image = {
  /** Names with tags, such as `vedette-monitor/vedette-hub:0.1.0`. */
  readonly names: readonly string[]
  /** Architecture by Docker's name. */
  readonly architecture: 'amd64' | 'arm64'
  /** Time of the image in epoch seconds. */
  readonly createdSeconds: number
  /** Layers from the lowest to the highest. */
  readonly layers: readonly (readonly TarEntry[])[]
  /** Labels with the keys of the OCI image specification, such as `org.opencontainers.image.title`. */
  readonly labels: Readonly<Record<string, string>>
  readonly settings: ImageSettings
}

/** Settings of an image by which an engine starts its containers: those of Docker's image specification 1.2. */
type ImageSettings = {
  readonly Entrypoint: readonly string[]
  readonly Cmd?: readonly string[]
  readonly Env: readonly string[]
  readonly ExposedPorts?: Readonly<Record<string, object>>
  readonly Volumes: Readonly<Record<string, object>>
  /** `Test` is the command with `CMD` before it. Times are in ns; engines before Docker 25 ignore `StartInterval`. */
  readonly Healthcheck: {
    readonly Test: readonly string[]
    readonly Interval: number
    readonly Timeout: number
    readonly StartPeriod: number
    readonly StartInterval: number
  }
}

/** Archive of an image. `compressedBytes` is the sum of its gzip layers, which a machine downloads. */
export type ImageArchive = { readonly tar: Buffer; readonly compressedBytes: number }

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/**
 * Returns the archive of an image. It is both an OCI image layout and an archive for `docker load`. Equal images give equal bytes. Needs no
 * container engine and no network.
 */
export function imageArchive({ names, architecture, createdSeconds, layers, labels, settings }: Image): ImageArchive {
  const blobs = new Map<string, Uint8Array>()
  const blob = (bytes: Uint8Array, mediaType: string) => {
    const digest = digestOf(bytes)
    blobs.set(`blobs/sha256/${digest}`, bytes)
    return { mediaType, digest: `sha256:${digest}`, size: bytes.length }
  }
  const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
  const made = layers.map((entries) => {
    const tar = tarArchive(entries, createdSeconds)
    return { id: `sha256:${digestOf(tar)}`, ...blob(gzipSync(tar), 'application/vnd.oci.image.layer.v1.tar+gzip') }
  })
  const created = new Date(createdSeconds * 1000).toISOString().replace('.000', '')
  const config = blob(
    json({
      created,
      architecture,
      os: 'linux',
      config: { ...settings, Labels: labels },
      rootfs: { type: 'layers', diff_ids: made.map(({ id }) => id) },
      history: made.map(() => ({ created, created_by: 'npm run release' })),
    }),
    'application/vnd.oci.image.config.v1+json',
  )
  const layerBlobs = made.map(({ mediaType, digest, size }) => ({ mediaType, digest, size }))
  const type = 'application/vnd.oci.image.manifest.v1+json'
  const manifest = blob(json({ schemaVersion: 2, mediaType: type, config, layers: layerBlobs, annotations: labels }), type)
  const named = names.map((name) => ({
    ...manifest,
    platform: { architecture, os: 'linux' },
    annotations: { 'io.containerd.image.name': `docker.io/${name}`, 'org.opencontainers.image.ref.name': name.replace(/^.*:/, '') },
  }))
  const files: readonly (readonly [string, Uint8Array])[] = [
    ['oci-layout', json({ imageLayoutVersion: '1.0.0' })],
    ['index.json', json({ schemaVersion: 2, mediaType: 'application/vnd.oci.image.index.v1+json', manifests: named })],
    ['manifest.json', json([{ Config: pathOf(config.digest), RepoTags: names, Layers: layerBlobs.map(({ digest }) => pathOf(digest)) }])],
    ...[...blobs].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ]
  const folders = ['blobs', 'blobs/sha256'].map((path): TarEntry => ({ path, kind: 'folder', mode: 0o755 }))
  const entries = files.map(([path, content]): TarEntry => ({ path, kind: 'file', mode: 0o644, content }))
  return {
    tar: tarArchive([...folders, ...entries], createdSeconds),
    compressedBytes: layerBlobs.reduce((sum, { size }) => sum + size, 0),
  }
}

const pathOf = (digest: string): string => `blobs/${digest.replace(':', '/')}`
