import { statfs } from 'node:fs/promises'

/** Resolves to the number of bytes that this user account may still write to the file system of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Formats a size in bytes as text in MiB, rounded up: `12 MiB`. */
export const sizeText = (bytes: number): string => `${Math.ceil(bytes / 1024 ** 2)} MiB`

/**
 * Returns the end of an error sentence for an import without enough disk space, such as `its copy needs 12 MiB, and 5 MiB are free in the
 * data folder`. `what` is its subject; sizes are in bytes.
 */
export const noSpace = (what: string, needed: number, free: number): string =>
  `${what} needs ${sizeText(needed)}, and ${sizeText(free)} are free in the data folder; free space there`
