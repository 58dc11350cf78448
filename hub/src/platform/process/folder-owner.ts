import { closeSync, constants, fchownSync, fstatSync, lchownSync, lstatSync, openSync, readdirSync } from 'node:fs'

/** Bit of a file mode, chmod(2), that means writable for all users, as of /tmp. */
const WRITABLE_FOR_ALL = 0o002

/**
 * Makes a user and the group of the same number the owner of a folder and all that is in it. Needs root and Linux. A folder of that user, or
 * one that everyone may write to, stays as it is. Symbolic links are never followed, and files with several hard links keep their owner.
 * Throws the system's error, such as ENOTDIR if the path is a symbolic link.
 */
export function giveFolder(path: string, user: number): void {
  const known = lstatSync(path)
  // Root without CAP_DAC_READ_SEARCH could not open it, and need not.
  if (known.isDirectory() && known.uid === user) return
  const folder = openFolder(path)
  try {
    // oxlint-disable-next-line no-bitwise -- permission bits
    if ((fstatSync(folder).mode & WRITABLE_FOR_ALL) === 0) giveOpenFolder(folder, user)
  } finally {
    closeSync(folder)
  }
}

// oxlint-disable-next-line no-bitwise -- flags of open(2)
const openFolder = (path: string): number => openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)

/**
 * Changes the owner of all that is in an open folder, and then of the folder, so that an interrupted run is repeated. Paths start at the open
 * folder (/proc/self/fd, proc(5)): nobody can replace it by a symbolic link meanwhile.
 */
function giveOpenFolder(folder: number, user: number): void {
  const path = `/proc/self/fd/${folder}`
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const at = `${path}/${entry.name}`
    if (entry.isDirectory()) giveInner(at, user)
    else if (!entry.isFile() || lstatSync(at).nlink === 1) lchownSync(at, user, user)
  }
  fchownSync(folder, user, user)
}

function giveInner(path: string, user: number): void {
  const folder = openFolder(path)
  try {
    giveOpenFolder(folder, user)
  } finally {
    closeSync(folder)
  }
}
