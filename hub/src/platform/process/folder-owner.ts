import { closeSync, constants, fchownSync, fstatSync, lchownSync, lstatSync, openSync, readdirSync } from 'node:fs'

/** Bit of a file mode, chmod(2), which says that all users may write to a folder, as to /tmp. */
const WRITABLE_FOR_ALL = 0o002

/**
 * Makes a user (uid) and the group of the same number the owner of a folder and its content. Needs root and Linux. A folder that the user
 * owns, or that all may write to, stays as it is. Symbolic links are not followed, files with several hard links are skipped. Throws the
 * system's error, such as ENOTDIR.
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
 * Changes the owner (uid) of the content of an open folder (file descriptor), and last of the folder, so that an interrupted run is
 * repeated. Paths go through /proc/self/fd (proc(5)), so nobody can replace the folder by a symbolic link.
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
