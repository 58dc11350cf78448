import { statfs } from 'node:fs/promises'

/** Resolves with the number of bytes that this account may still write to the filesystem of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Returns the size as text in MiB, rounded up: `12 MiB`. */
export const sizeText = (bytes: number): string => `${Math.ceil(bytes / 1024 ** 2)} MiB`

/** Returns the end of the sentence that says that something is larger than the free space of the data folder. */
export const noSpace = (what: string, needed: number, free: number): string =>
  `${what} needs ${sizeText(needed)}, and ${sizeText(free)} are free in the data folder; free space there`
