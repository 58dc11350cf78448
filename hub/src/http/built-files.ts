import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import { ownValue } from '@vedette/protocol/own-value'
import type { ProgramFiles } from '../platform/process/program-files.ts'

/** Content encoding, `br` or `gzip`, in which a build stores compressed copies of its files. */
export type FileEncoding = 'br' | 'gzip'

/**
 * Static file that a build has written for browsers: its name, media type, ETag, and the content encodings in which compressed copies
 * exist.
 */
export type BuiltFile = {
  /** Path of a built file of the dashboard or documents, relative to the folder of the build, such as `assets/index-1a2b.js`. */
  readonly name: string
  readonly type: string
  readonly etag: string
  /** True when the name of this built file contains a hash of its content, so that the file never changes. */
  readonly immutable: boolean
  /** Content encodings (`br`, `gzip`) in which this file of the dashboard or the documents is also stored, smallest variant first. */
  readonly encodings: readonly FileEncoding[]
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

/** Resolves to a map from URL path below the build's folder, such as `/assets/index-1a2b.js`, to the built file that browsers may load. */
export async function listBuiltFiles(built: ProgramFiles): Promise<Map<string, BuiltFile>> {
  const names = new Set(built.list())
  const files = new Map<string, BuiltFile>()
  for (const name of names) {
    const type = ownValue(types, extname(name))
    if (type !== undefined) files.set(`/${name}`, describe(name, type, await built.read(name), names))
  }
  return files
}

function describe(name: string, type: string, content: Uint8Array, names: ReadonlySet<string>): BuiltFile {
  const encodings = (['br', 'gzip'] as const).filter((encoding) => names.has(name + suffixes[encoding]))
  return { name, type, etag: entityTag(content), immutable: /^(?:_\/)?assets\//.test(name), encodings }
}

/**
 * Resolves to the bytes of a file of the built dashboard or documents: the copy in the content encoding `encoding`, or the uncompressed one
 * (`undefined`). Rejects when the file no longer exists.
 */
export const readBuiltFile = (
  built: ProgramFiles,
  { name }: BuiltFile,
  encoding: FileEncoding | undefined,
): Promise<Uint8Array<ArrayBuffer>> => built.read(encoding === undefined ? name : name + suffixes[encoding])

/** Returns the value of the ETag header (RFC 9110), in quotes, for a content: the first 22 characters of its SHA-256 in base64url. */
export const entityTag = (content: string | Uint8Array): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
