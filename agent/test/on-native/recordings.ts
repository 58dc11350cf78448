import { pathOf, type FileUrl } from './file-url.ts'
import { nativeHost } from './native-host.ts'

/** Size limit of a recording, in bytes. The longest one has some hundred kB. */
const MAX_BYTES = 4 * 1024 * 1024

/** Replacement for `readFileSync` of `node:fs`, for UTF-8 texts only. */
export function readFileSync(place: string | FileUrl, encoding: string): string {
  if (encoding !== 'utf8') throw new Error(`Cannot read "${pathOf(place)}" as ${encoding}: only as utf8`)
  const text = nativeHost.readText(pathOf(place), MAX_BYTES)
  if (text === null) throw new Error(`Cannot read "${pathOf(place)}"`)
  return text
}

export type FolderEntry = { readonly name: string; readonly parentPath: string; readonly isFile: () => boolean }

/** Replacement for `readdirSync` of `node:fs`, as recorded machines call it: recursive, with file types. */
export function readdirSync(place: string | FileUrl): readonly FolderEntry[] {
  const parentPath = pathOf(place).replace(/\/$/, '')
  const names = nativeHost.listDir(parentPath)
  if (names === null) throw new Error(`Cannot list "${parentPath}"`)
  return names.flatMap((name) => {
    const path = `${parentPath}/${name}`
    const kind = nativeHost.stat(path)?.kind
    const entry = { name, parentPath, isFile: () => kind === 'file' }
    return kind === 'folder' ? [entry, ...readdirSync(path)] : [entry]
  })
}
