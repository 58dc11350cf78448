/** Why a backup cannot be made, read or restored, in one sentence for the person who asked. */
export class BackupRefusedError extends Error {
  override readonly name = 'BackupRefusedError'
}
