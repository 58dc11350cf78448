import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * List of the folders, besides those in `PATH`, that are searched for servers such as nginx. Debian installs them where the `PATH` of
 * ordinary users does not lead.
 */
const FURTHER_FOLDERS = ['/usr/sbin', '/usr/local/sbin']

/**
 * Returns the absolute path of an installed program by its name, searched in `PATH` and in the system's `sbin` folders; `undefined` when it
 * is not installed.
 */
export function programNamed(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...FURTHER_FOLDERS]
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}
