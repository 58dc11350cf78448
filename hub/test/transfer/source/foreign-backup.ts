import { createWriteStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import yazl from 'yazl'
import type { ForeignFolder } from './foreign-folder.ts'

/** Writes a backup zip of another hub's folder beside it, with the times of its files, and returns its path. */
export async function foreignBackup({ path, parent }: ForeignFolder): Promise<string> {
  const zip = new yazl.ZipFile()
  for (const name of ['data.db', 'id_ed25519']) zip.addFile(join(path, name), name, { mtime: statSync(join(path, name)).mtime })
  zip.end()
  const backup = join(parent, 'backup.zip')
  await pipeline(zip.outputStream, createWriteStream(backup))
  return backup
}
