import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Debian puts servers here, which is on no ordinary account's path. */
const FURTHER_FOLDERS = ['/usr/sbin', '/usr/local/sbin']

/** The path of a program of this machine. */
export function programNamed(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...FURTHER_FOLDERS]
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}
