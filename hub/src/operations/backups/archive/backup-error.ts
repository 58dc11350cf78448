/** Thrown when a backup cannot be made, read or restored. The message is one sentence for the user that says why. */
export class BackupRefusedError extends Error {
  override readonly name = 'BackupRefusedError'
}
