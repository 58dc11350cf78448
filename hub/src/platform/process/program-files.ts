import { readdirSync } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { getAsset, getAssetKeys, getRawAsset, isSea } from 'node:sea'
import { errorCode } from '../error-code.ts'

/**
 * Read access to files that belong to the program: dashboard, documents, or agents for download. They are in a folder or within the single
 * executable. Names are relative, such as `assets/index.js`.
 */
export type ProgramFiles = {
  /**
   * Path of the folder, or of the single executable, from which this part of the program (such as the dashboard) is read. Error messages
   * quote it.
   */
  readonly place: string
  /**
   * Returns the relative names of all files of this part of the program, such as `assets/index.js`. A folder on disk also gives its
   * subfolders, but no names with a segment that starts with a dot. Empty if the folder is missing.
   */
  readonly list: () => readonly string[]
  /** Resolves to size in bytes and identity of the program file with this relative name; `undefined` when it does not exist. */
  readonly find: (name: string) => Promise<FoundFile | undefined>
  /** Resolves to the whole content of the program file with this relative name. Rejects when it does not exist. */
  readonly read: (name: string) => Promise<Uint8Array<ArrayBuffer>>
  /**
   * Resolves to a stream of the bytes `first` to `last`, both inclusive, of the file with this relative name. Resolves to `undefined` if
   * the file has changed since `find` returned `identity`.
   */
  readonly stream: (
    name: string,
    identity: string,
    range: { first: number; last: number },
  ) => Promise<ReadableStream<Uint8Array> | undefined>
}

/**
 * Size in bytes of a program file, and its identity: a text that changes when a file on disk is replaced. It is constant for files in the
 * executable.
 */
export type FoundFile = { readonly bytes: number; readonly identity: string }

/**
 * Returns access to the files of one part of the program: within the single executable if this process runs from it, otherwise in `folder`.
 */
export const programFiles = (part: 'agent' | 'docs' | 'web', folder: string): ProgramFiles =>
  isSea() ? embeddedFiles(part) : filesIn(folder)

/**
 * Creates read access to the files in a folder on disk that belong to the program. The identity of a file consists of its inode, size and
 * modification time.
 */
export function filesIn(folder: string): ProgramFiles {
  /**
   * Map from file name to the content of a file that responses are still sending, so that hundreds of slow clients share one copy. Weak
   * references let the memory be freed afterwards.
   */
  const inUse = new Map<string, { readonly identity: string; readonly bytes: WeakRef<Uint8Array<ArrayBuffer>> }>()
  return {
    place: folder,
    list() {
      try {
        return readdirSync(folder, { recursive: true, encoding: 'utf8' })
          .map((name) => name.replaceAll('\\', '/'))
          .filter((name) => !name.split('/').some((part) => part.startsWith('.')))
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return []
        throw error
      }
    },
    async find(name) {
      try {
        return foundOf(await stat(join(folder, name)))
      } catch (error) {
        if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined
        throw error
      }
    },
    async read(name) {
      const identity = foundOf(await stat(join(folder, name))).identity
      const used = inUse.get(name)
      const shared = used?.identity === identity ? used.bytes.deref() : undefined
      if (shared !== undefined) return shared
      const { buffer, byteOffset, length } = await readFile(join(folder, name))
      const bytes = new Uint8Array(buffer, byteOffset, length)
      inUse.set(name, { identity, bytes: new WeakRef(bytes) })
      return bytes
    },
    async stream(name, identity, { first, last }) {
      const handle = await open(join(folder, name))
      if (foundOf(await handle.stat()).identity === identity)
        return Readable.toWeb(handle.createReadStream({ start: first, end: last })) as ReadableStream<Uint8Array> // a file's stream yields bytes
      await handle.close()
      return undefined
    },
  }
}

const foundOf = ({ ino, size, mtimeMs }: { readonly ino: number; readonly size: number; readonly mtimeMs: number }): FoundFile => ({
  bytes: size,
  identity: `${ino} ${size} ${mtimeMs}`,
})

/** Size in bytes (256 KiB) of the chunks in which a file within the program's single executable is streamed. */
const CHUNK_BYTES = 256 * 1024

/** Returns access to the files that the build put into this process's executable under the name of a part. They never change. */
function embeddedFiles(part: string): ProgramFiles {
  const names = new Set(
    getAssetKeys()
      .filter((key) => key.startsWith(`${part}/`))
      .map((key) => key.slice(part.length + 1)),
  )
  return {
    place: process.execPath,
    list: () => [...names],
    find: async (name) => (names.has(name) ? { bytes: getRawAsset(`${part}/${name}`).byteLength, identity: 'embedded' } : undefined),
    read: async (name) => new Uint8Array(getAsset(`${part}/${name}`)),
    async stream(name, _identity, { first, last }) {
      const bytes = new Uint8Array(getRawAsset(`${part}/${name}`), first, last - first + 1)
      let sent = 0
      return new ReadableStream({
        pull(controller) {
          // A copy: the executable's own memory is read-only, and a stream may hand its chunks over.
          if (sent < bytes.length) controller.enqueue(bytes.slice(sent, sent + CHUNK_BYTES))
          sent += CHUNK_BYTES
          if (sent >= bytes.length) controller.close()
        },
      })
    },
  }
}

/**
 * Returns a `data:` URL with the code of the module `name`, to start a worker thread in the program's single executable. That module may
 * import only modules of Node.js.
 */
export const embeddedThread = (name: string): URL =>
  new URL(`data:text/javascript;base64,${Buffer.from(getRawAsset(`threads/${name}.mjs`)).toString('base64')}`)
