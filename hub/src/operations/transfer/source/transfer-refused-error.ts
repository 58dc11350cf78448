import { userInfo } from 'node:os'
import { errorCode } from '../../../platform/error-code.ts'

/** Thrown when the data of another hub cannot be taken over. The message is one sentence for the operator that says what to do. */
export class TransferRefusedError extends Error {
  override readonly name = 'TransferRefusedError'
}

/** Returns a {@link TransferRefusedError}: `Cannot import "PATH": WHY`. */
export const cannotImport = (path: string, why: string, cause?: unknown): TransferRefusedError =>
  new TransferRefusedError(`Cannot import "${path}": ${why}`, { cause })

/**
 * Returns the error for a file of another hub that cannot be read, from an error of the filesystem. It does not advise to change that file's
 * owner, because the other hub needs it.
 */
export function cannotRead(given: string, file: string, error: unknown): TransferRefusedError {
  const code = errorCode(error) ?? 'unknown reason'
  if (code === 'EACCES' || code === 'EPERM')
    return cannotImport(given, `the account "${accountName()}" may not read "${file}"; use an account that may, such as root`, error)
  return cannotImport(given, `"${file}" cannot be read (${code}); copy it to another folder, or give a backup`, error)
}

function accountName(): string {
  try {
    return userInfo().username
  } catch {
    // The account has no entry in passwd(5), as in many containers.
    return String(process.getuid?.() ?? '')
  }
}
