import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import yauzl from 'yauzl'
import yazl from 'yazl'
import { BackupRefusedError } from './backup-error.ts'
import { MANIFEST_FILE, manifestText, MOST_MANIFEST_BYTES, parseManifest, type Manifest, type ManifestFile } from './manifest.ts'

/**
 * Function that is called with the progress of one step of making or unpacking a backup. It gets the bytes done so far and the total bytes
 * of that step.
 */
export type Progress = (doneBytes: number, totalBytes: number) => void

type Facts = Omit<Manifest, 'format' | 'files'>

/**
 * Input of a new backup archive: the folder, the names of its files to archive, and `facts`. `facts` are the manifest's values about the
 * hub: version, time and database.
 */
type ArchiveInput = { readonly folder: string; readonly files: readonly ManifestFile['name'][]; readonly facts: Facts }

/**
 * Compression level of entries in a backup zip: 1, the fastest. Entries of over 64 MiB are stored without compression, because they are
 * mostly history, which is compressed already.
 */
const LEVEL = 1
const MOST_COMPRESSED_BYTES = 64 * 1024 * 1024

/**
 * Writes a zip archive of the backup files in `folder` to `path`, flushed to disk. The first entry is the manifest with size and checksum
 * of every file.
 */
export async function writeArchive(path: string, { folder, files, facts }: ArchiveInput, progress: Progress): Promise<void> {
  const listed: ManifestFile[] = []
  for (const name of files) listed.push({ name, ...(await measure(join(folder, name))) })
  const total = listed.reduce((sum, { bytes }) => sum + bytes, 0)
  const zip = new yazl.ZipFile()
  const at = { mtime: new Date(facts.madeAtMs) }
  zip.addBuffer(Buffer.from(manifestText({ ...facts, files: listed })), MANIFEST_FILE, at)
  let done = 0
  for (const { name, bytes } of listed) {
    const packing = bytes > MOST_COMPRESSED_BYTES ? { compress: false } : { compressionLevel: LEVEL }
    zip.addReadStreamLazy(name, { ...at, ...packing }, (use) => {
      const stream = createReadStream(join(folder, name))
      stream.on('data', (chunk) => progress((done += chunk.length), total))
      use(null, stream)
    })
  }
  zip.end()
  // The type declares only pipe(), but the object is a PassThrough.
  const output = zip.outputStream as Readable
  zip.on('error', (error: Error) => output.destroy(error))
  await pipeline(output, createWriteStream(path, { mode: 0o600, flush: true }))
}

async function measure(path: string): Promise<Omit<ManifestFile, 'name'>> {
  const hash = createHash('sha256')
  let bytes = 0
  await pipeline(createReadStream(path), async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      hash.update(chunk)
      bytes += chunk.length
    }
  })
  return { bytes, sha256: hash.digest('hex') }
}

/**
 * Reads the manifest (`manifest.json`) of the backup archive at a path. Throws {@link BackupRefusedError} when the file is empty, damaged,
 * or in a newer format.
 */
export async function readManifest(path: string): Promise<Manifest> {
  await using archive = await openArchive(path)
  return manifestOf(archive)
}

/**
 * Unpacks a backup archive into an empty folder, checks sizes and checksums against its manifest, and resolves to the manifest. Throws
 * {@link BackupRefusedError} for an invalid backup; files written until then stay in the folder.
 */
export async function unpackArchive(path: string, folder: string, progress: Progress): Promise<Manifest> {
  await using archive = await openArchive(path)
  const manifest = await manifestOf(archive)
  const total = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  for (const file of manifest.files) {
    const entry = archive.entries.get(file.name)
    if (entry === undefined) throw damaged(`"${file.name}" is missing`)
    const hash = createHash('sha256')
    let bytes = 0
    const checked = async function* (source: AsyncIterable<Buffer>) {
      for await (const chunk of source) {
        bytes += chunk.length
        if (bytes > file.bytes) throw damaged(`"${file.name}" is larger than it should be`)
        hash.update(chunk)
        progress((done += chunk.length), total)
        yield chunk
      }
    }
    const target = createWriteStream(join(folder, file.name), { flags: 'wx', mode: 0o600, flush: true })
    await pipeline(await archive.read(entry), checked, target).catch(asDamaged)
    if (bytes !== file.bytes || hash.digest('hex') !== file.sha256) throw damaged(`"${file.name}" is not what it was when it was made`)
  }
  return manifest
}

type OpenArchive = AsyncDisposable & {
  readonly entries: ReadonlyMap<string, yauzl.Entry>
  readonly read: (entry: yauzl.Entry) => Promise<Readable>
}

/**
 * Maximum number of files in a backup archive: 20; a hub writes fewer. An archive with more is refused as invalid when it is read, such as
 * after an upload.
 */
const MOST_ENTRIES = 20

async function openArchive(path: string): Promise<OpenArchive> {
  if ((await stat(path)).size === 0) throw damaged('it is empty')
  const file = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false, strictFileNames: true }).catch(asDamaged)
  try {
    const entries = new Map<string, yauzl.Entry>()
    if (file.entryCount > MOST_ENTRIES) throw damaged(`it has ${file.entryCount} files`)
    for await (const entry of file.eachEntry()) {
      if (!/^[a-z0-9_][a-z0-9_.]*$/.test(entry.fileName)) throw damaged(`it has a file "${entry.fileName.slice(0, 100)}"`)
      entries.set(entry.fileName, entry)
    }
    return {
      entries,
      read: (entry) => file.openReadStreamPromise(entry).catch(asDamaged),
      [Symbol.asyncDispose]: async () => file.close(),
    }
  } catch (error) {
    file.close()
    return asDamaged(error)
  }
}

async function manifestOf({ entries, read }: OpenArchive): Promise<Manifest> {
  const entry = entries.get(MANIFEST_FILE)
  if (entry === undefined) throw damaged('it has no manifest')
  let text = ''
  const stream = (await read(entry)).setEncoding('utf8')
  try {
    for await (const chunk of stream) {
      text += String(chunk)
      if (text.length > MOST_MANIFEST_BYTES) throw damaged('its manifest is too large')
    }
  } catch (error) {
    return asDamaged(error)
  }
  return parseManifest(text)
}

const damaged = (how: string, options?: ErrorOptions): BackupRefusedError =>
  new BackupRefusedError(`Cannot read the backup: ${how}`, options)

/**
 * Error handler for the zip parser: throws a {@link BackupRefusedError} ("damaged") in place of the parser's error. Errors of the file
 * system and BackupRefusedErrors are thrown unchanged.
 */
function asDamaged(error: unknown): never {
  if (error instanceof BackupRefusedError || (error instanceof Error && 'syscall' in error)) throw error
  throw damaged(`it is damaged (${error instanceof Error ? error.message : String(error)})`, { cause: error })
}
