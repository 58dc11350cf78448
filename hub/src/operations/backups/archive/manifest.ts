import { z } from 'zod'
import { BackupRefusedError } from './backup-error.ts'

const FORMAT = 1
export const MANIFEST_FILE = 'manifest.json'
export const MOST_MANIFEST_BYTES = 64 * 1024

/**
 * Names of the files that a backup archive can have beside its manifest. `*.sealed` files are encrypted with the hub's secret key or with a
 * passphrase.
 */
export const archivedFiles = ['database.sqlite', 'database.dump', 'id_ed25519.sealed', 'config.yml.sealed', 'secret.key.sealed'] as const
export type ArchivedFile = (typeof archivedFiles)[number]

export const manifestSchema = z.object({
  format: z.literal(FORMAT),
  /** Version of the hub that made this backup, such as `0.1.0`, from the backup's manifest. */
  version: z.string().max(100),
  madeAtMs: z.number().int().nonnegative(),
  database: z.enum(['sqlite', 'postgres']),
  /** Number of database migrations that had run when this backup was made. A hub that knows fewer migrations cannot restore it. */
  schemaVersion: z.number().int().nonnegative(),
  instance: z.string().max(100),
  /**
   * Encrypted text in a backup's manifest, made with the secret key of the hub that made the backup. A restore uses it to find out whether
   * a secret key is the right one for the backup.
   */
  proof: z.string().max(1000),
  files: z
    .array(z.object({ name: z.enum(archivedFiles), bytes: z.number().int().nonnegative(), sha256: z.string().regex(/^[0-9a-f]{64}$/) }))
    .max(archivedFiles.length),
})

/** Content of a backup archive's manifest (`manifest.json`): hub version, database, and size and checksum of each file. */
export type Manifest = Readonly<z.infer<typeof manifestSchema>>
export type ManifestFile = Manifest['files'][number]

export const manifestText = (manifest: Omit<Manifest, 'format'>): string =>
  `${JSON.stringify({ format: FORMAT, ...manifest }, undefined, 2)}\n`

/** Parses the manifest of a backup. Throws {@link BackupRefusedError} when it is damaged or its format is newer than this hub. */
export function parseManifest(text: string): Manifest {
  const found = jsonOf(text)
  const format = typeof found === 'object' && found !== null && 'format' in found ? found.format : undefined
  if (typeof format === 'number' && format > FORMAT)
    throw new BackupRefusedError(`Cannot read the backup: its format ${format} is newer than this program, which knows ${FORMAT}`)
  const parsed = manifestSchema.safeParse(found)
  if (parsed.success) return parsed.data
  const where = parsed.error.issues[0]?.path.join('.') ?? ''
  throw new BackupRefusedError(`Cannot read the backup: its manifest is damaged${where === '' ? '' : ` at ${where}`}`)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The caller reports what is wrong.
    return undefined
  }
}
