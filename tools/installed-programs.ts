import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Paths of folders where Debian installs servers such as nginx; they are not in the PATH of ordinary users. */
const FURTHER_FOLDERS = ['/usr/sbin', '/usr/local/sbin']

/** Returns the path of an installed program; `undefined` when it is not installed. */
export function programNamed(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...FURTHER_FOLDERS]
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}
