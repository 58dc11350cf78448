import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { tarArchive, type TarEntry } from './tar-archive.ts'

/** Content of a container image for Linux: names, architecture, time, layers, labels, and the settings for its containers. */
export type Image = {
  /** List of the names with tags of the container image, such as `vedette-monitor/vedette-hub:0.1.0`. */
  readonly names: readonly string[]
  /** Architecture of the container image, as Docker names it: `amd64` or `arm64`. */
  readonly architecture: 'amd64' | 'arm64'
  /**
   * Creation time of the container image and of all its files, in epoch seconds. It is fixed per release, so that equal builds give equal
   * bytes.
   */
  readonly createdSeconds: number
  /** List of the layers of the container image from the lowest to the highest, each a list of tar entries. */
  readonly layers: readonly (readonly TarEntry[])[]
  /** Labels of the container image, with the keys of the OCI image specification, such as `org.opencontainers.image.title`. */
  readonly labels: Readonly<Record<string, string>>
  readonly settings: ImageSettings
}

/**
 * Settings in a container image by which Docker or Podman starts a container, such as `Entrypoint`, `Env` and `Volumes`. The names are
 * those of Docker's image specification 1.2.
 */
type ImageSettings = {
  readonly Entrypoint: readonly string[]
  readonly Cmd?: readonly string[]
  readonly Env: readonly string[]
  readonly ExposedPorts?: Readonly<Record<string, object>>
  readonly Volumes: Readonly<Record<string, object>>
  /**
   * Health check of the container image. `Test` is a list: `CMD`, then the command. Times are in ns; Docker before version 25 ignores
   * `StartInterval`.
   */
  readonly Healthcheck: {
    readonly Test: readonly string[]
    readonly Interval: number
    readonly Timeout: number
    readonly StartPeriod: number
    readonly StartInterval: number
  }
}

/** Built container image: `tar` has the bytes of the archive, `compressedBytes` the sum of its gzip layers, which a machine downloads. */
export type ImageArchive = { readonly tar: Buffer; readonly compressedBytes: number }

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/**
 * Builds the tar archive of a container image. It is both an OCI image layout and an archive for `docker load`. Equal input gives equal
 * bytes. Needs no container engine and no network.
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
