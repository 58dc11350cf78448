/**
 * Entry of a tar archive: folder, file (with content) or symbolic link (to the target `to`). `path` is relative, without `./` at the start
 * or `/` at the end. `user` is the numeric id of owner and group; root when absent.
 */
export type TarEntry = { readonly path: string; readonly user?: number } & (
  | { readonly kind: 'folder'; readonly mode: number }
  | { readonly kind: 'file'; readonly mode: number; readonly content: Uint8Array }
  | { readonly kind: 'link'; readonly to: string }
)

/** Size of a tar block in bytes, 512: headers have this size, and file contents are padded to a multiple of it, tar(5). */
const BLOCK = 512

/** Maximum length of a path or link target in a tar header without the prefix field: 100 bytes. */
const LONGEST_PATH = 100

const types = { file: '0', link: '2', folder: '5' } as const

/**
 * Returns the bytes of a tar archive (ustar, POSIX.1-1988) with the entries in their order. All have the modification time
 * `modifiedSeconds` (epoch seconds), so equal entries give equal bytes. Throws a RangeError for a path or link target of more than 100
 * bytes.
 */
export function tarArchive(entries: readonly TarEntry[], modifiedSeconds: number): Buffer {
  const blocks = entries.flatMap((entry) => {
    const content = entry.kind === 'file' ? entry.content : new Uint8Array()
    return [header(entry, content.length, modifiedSeconds), content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)])
}

function header(entry: TarEntry, bytes: number, modifiedSeconds: number): Buffer {
  const block = Buffer.alloc(BLOCK)
  const name = entry.kind === 'folder' ? `${entry.path}/` : entry.path
  const to = entry.kind === 'link' ? entry.to : ''
  for (const path of [name, to])
    if (Buffer.byteLength(path) > LONGEST_PATH) throw new RangeError(`Cannot archive "${path}": its path is too long`)
  const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`
  const { user = 0 } = entry
  block.write(name, 0)
  block.write(octal(entry.kind === 'link' ? 0o777 : entry.mode, 8), 100)
  block.write(octal(user, 8), 108)
  block.write(octal(user, 8), 116)
  block.write(octal(bytes, 12), 124)
  block.write(octal(modifiedSeconds, 12), 136)
  // The checksum is computed with spaces in its place.
  block.write(' '.repeat(8), 148)
  block.write(types[entry.kind], 156)
  block.write(to, 157)
  block.write('ustar\u000000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${octal(sum, 7)} `, 148)
  return block
}
