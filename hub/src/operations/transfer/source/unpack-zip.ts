import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import yauzl from 'yauzl'
import { MANIFEST_FILE } from '../../backups/archive/manifest.ts'
import { FOREIGN_DATABASE, ownData } from './foreign-place.ts'
import { freeBytes, noSpace } from './free-space.ts'
import { cannotImport, TransferRefusedError } from './transfer-refused-error.ts'

/**
 * Maximum number of entries in another hub's backup zip: 10,000; a zip with more is refused. Usual backups have about 10, and files that
 * people added.
 */
const MOST_ENTRIES = 10_000
/**
 * Maximum size in bytes (1 MiB) of the small files that are unpacked from another hub's backup: SSH key and config.yml. Database and WAL
 * are limited by the free disk space.
 */
const MOST_SMALL_BYTES = 1024 * 1024
/**
 * Maximum ratio, 100, of an entry's size to its compressed size in another hub's zip, for entries of over 16 MiB. A larger ratio is refused
 * as a zip bomb; a database has about 10.
 */
const MOST_RATIO = 100
const RATIO_FROM_BYTES = 16 * 1024 ** 2

const FOREIGN_WAL = `${FOREIGN_DATABASE}-wal`

/**
 * Map from the name of a file that an import unpacks from another hub's backup zip, such as `data.db`, to its maximum size in bytes.
 * Database and WAL have no maximum here; other files of the zip are ignored.
 */
const FILES: ReadonlyMap<string, number> = new Map([
  [FOREIGN_DATABASE, Number.POSITIVE_INFINITY],
  [FOREIGN_WAL, Number.POSITIVE_INFINITY],
  ['id_ed25519', MOST_SMALL_BYTES],
  ['config.yml', MOST_SMALL_BYTES],
])

/**
 * Unpacks the files of another hub from its backup zip at `path` into a folder. Resolves with the time of the database's last change, in
 * epoch ms. Rejects with a `TransferRefusedError` for anything but such a backup, before it fills the disk.
 */
export async function unpackZip(path: string, folder: string): Promise<number> {
  const refuse = (why: string, cause?: unknown): TransferRefusedError => cannotImport(path, why, cause)
  const damaged = (error: unknown): never => {
    if (error instanceof TransferRefusedError || (error instanceof Error && 'syscall' in error)) throw error
    const how = error instanceof Error ? error.message : String(error)
    throw refuse(`the zip file is damaged (${how}); give another backup of the other hub`, error)
  }
  // Names with "..", a drive or a leading slash are errors of yauzl.
  const zip = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false, strictFileNames: true }).catch(damaged)
  try {
    if (zip.entryCount > MOST_ENTRIES)
      throw refuse(`the zip file has ${zip.entryCount} entries, more than a backup of the other hub; give one of its backups`)
    const entries = chosenEntries(path, await allEntries(zip).catch(damaged))
    const bytes = [...entries.values()].reduce((sum, entry) => sum + entry.uncompressedSize, 0)
    const free = await freeBytes(folder)
    if (bytes > free) throw refuse(noSpace('its content', bytes, free))
    for (const [name, entry] of entries) {
      // yauzl ends a stream with an error at the first byte beyond the size of the entry.
      const stream = await zip.openReadStreamPromise(entry).catch(damaged)
      const file = createWriteStream(join(folder, name), { flags: 'wx', mode: 0o600 })
      await pipeline(stream, (source: AsyncIterable<Buffer>) => checked(source, entry), file).catch(damaged)
    }
    const times = [FOREIGN_DATABASE, FOREIGN_WAL].map((name) => entries.get(name)?.getLastModDate().getTime() ?? 0)
    return Math.max(...times)
  } finally {
    zip.close()
  }
}

/**
 * Generator `checked`: yields the bytes of a zip entry (`source`) unchanged. Throws after the last one if their CRC-32 differs from that in
 * the zip, which the library yauzl does not check.
 */
async function* checked(source: AsyncIterable<Buffer>, { crc32: expected }: yauzl.Entry): AsyncIterable<Buffer> {
  let sum = 0
  for await (const chunk of source) {
    sum = crc32(chunk, sum)
    yield chunk
  }
  if (sum !== expected) throw new RangeError('wrong checksum')
}

async function allEntries(zip: yauzl.ZipFile): Promise<readonly yauzl.Entry[]> {
  const entries: yauzl.Entry[] = []
  for await (const entry of zip.eachEntry()) entries.push(entry)
  return entries
}

/**
 * Returns a map from file name to the zip entry to unpack: those of the needed files that are in the database's folder. Throws a
 * `TransferRefusedError` unless the zip has exactly one database, and for a zip bomb or too large a file.
 */
function chosenEntries(path: string, entries: readonly yauzl.Entry[]): ReadonlyMap<string, yauzl.Entry> {
  const databases = entries.filter(({ fileName }) => fileName === FOREIGN_DATABASE || fileName.endsWith(`/${FOREIGN_DATABASE}`))
  const [database, another] = databases
  if (database === undefined) {
    const isOwn =
      entries.some(({ fileName }) => fileName === MANIFEST_FILE) && entries.some(({ fileName }) => fileName.startsWith('database.'))
    if (isOwn) throw ownData(path)
    throw cannotImport(path, `the zip file has no ${FOREIGN_DATABASE}; give a backup of the other hub`)
  }
  if (another !== undefined) throw cannotImport(path, `the zip file has several files ${FOREIGN_DATABASE}; give a backup of one hub`)
  const within = database.fileName.slice(0, -FOREIGN_DATABASE.length)
  const chosen = new Map<string, yauzl.Entry>()
  for (const entry of entries) {
    const name = entry.fileName.startsWith(within) ? entry.fileName.slice(within.length) : ''
    const most = FILES.get(name)
    if (most === undefined) continue
    const { uncompressedSize, compressedSize } = entry
    const isBomb = uncompressedSize > RATIO_FROM_BYTES && uncompressedSize > compressedSize * MOST_RATIO
    if (isBomb || uncompressedSize > most || chosen.has(name))
      throw cannotImport(path, `"${name}" in the zip file is not what a hub writes; give a backup that the other hub made`)
    chosen.set(name, entry)
  }
  return chosen
}
