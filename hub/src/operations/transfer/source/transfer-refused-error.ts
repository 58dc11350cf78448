import { userInfo } from 'node:os'
import { errorCode } from '../../../platform/error-code.ts'

/** Thrown when another hub's data cannot be imported. The message is one sentence that tells the operator what to do. */
export class TransferRefusedError extends Error {
  override readonly name = 'TransferRefusedError'
}

/** Creates a {@link TransferRefusedError} with the message `Cannot import "PATH": WHY`. */
export const cannotImport = (path: string, why: string, cause?: unknown): TransferRefusedError =>
  new TransferRefusedError(`Cannot import "${path}": ${why}`, { cause })

/**
 * Converts a file system error to the error for an unreadable file of another hub; `given` is the path that the operator gave. Its message
 * does not advise to change the file's owner, because the other hub needs it.
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
