import { z } from 'zod'
import { BackupRefusedError } from './backup-error.ts'

const FORMAT = 1
export const MANIFEST_FILE = 'manifest.json'
export const MOST_MANIFEST_BYTES = 64 * 1024

/** The files that a backup can hold beside its manifest. What is sealed opens with the hub's secret key, the key with a passphrase. */
export const archivedFiles = ['database.sqlite', 'database.dump', 'id_ed25519.sealed', 'config.yml.sealed', 'secret.key.sealed'] as const
export type ArchivedFile = (typeof archivedFiles)[number]

const schema = z.object({
  format: z.literal(FORMAT),
  /** The program that made it. */
  version: z.string().max(100),
  madeAtMs: z.number().int().nonnegative(),
  database: z.enum(['sqlite', 'postgres']),
  /** How many migrations the database has seen. */
  schemaVersion: z.number().int().nonnegative(),
  instance: z.string().max(100),
  /** What the hub's secret key sealed once: tells which key opens the rest. */
  proof: z.string().max(1000),
  files: z
    .array(z.object({ name: z.enum(archivedFiles), bytes: z.number().int().nonnegative(), sha256: z.string().regex(/^[0-9a-f]{64}$/) }))
    .max(archivedFiles.length),
})

/** What a backup says of itself. */
export type Manifest = Readonly<z.infer<typeof schema>>
export type ManifestFile = Manifest['files'][number]

export const manifestText = (manifest: Omit<Manifest, 'format'>): string =>
  `${JSON.stringify({ format: FORMAT, ...manifest }, undefined, 2)}\n`

/** Throws {@link BackupRefusedError} for one that is damaged, or of a newer program. */
export function parseManifest(text: string): Manifest {
  const found = jsonOf(text)
  const format = typeof found === 'object' && found !== null && 'format' in found ? found.format : undefined
  if (typeof format === 'number' && format > FORMAT)
    throw new BackupRefusedError(`Cannot read the backup: its format ${format} is newer than this program, which knows ${FORMAT}`)
  const parsed = schema.safeParse(found)
  if (parsed.success) return parsed.data
  const where = parsed.error.issues[0]?.path.join('.') ?? ''
  throw new BackupRefusedError(`Cannot read the backup: its manifest is damaged${where === '' ? '' : ` at ${where}`}`)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The caller says what is wrong with it.
    return undefined
  }
}
