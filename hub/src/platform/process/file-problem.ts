import { userInfo } from 'node:os'
import { errorCode } from '../error-code.ts'
import { shellWord } from './shell-word.ts'

/**
 * Returns the end of an error sentence that says why the file or folder at `path` cannot be used, and which shell command helps. For an
 * unknown error it is the error's code, such as `EIO`.
 */
export function fileProblem(path: string, error: unknown): string {
  const code = errorCode(error) ?? 'unknown reason'
  const at = shellWord(path)
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return `the account "${accountName()}" has no right to use it; give it the right with: chown -R ${accountName()} ${at}`
    case 'ENOSPC':
      return `the disk is full; free space, and see how full it is with: df -h ${at}`
    case 'EDQUOT':
      return 'the disk quota is used up; see it with: quota -s'
    case 'EROFS':
      return `the filesystem is read-only; see its options with: findmnt -T ${at}`
    case 'ENOTDIR':
    case 'EEXIST':
      return `a file is in its place; see it with: ls -ld ${at}`
    default:
      return code
  }
}

/** Returns the name of the user account that runs this process, or its number if it has no name. */
function accountName(): string {
  try {
    return userInfo().username
  } catch {
    // The account has no entry in passwd(5), as in many containers.
    return String(process.getuid?.() ?? '')
  }
}
