import { lchownSync, lstatSync, statSync } from 'node:fs'
import type { UserChange } from '../runtime.ts'
import { errorText } from './error-text.ts'

/**
 * Changes the process from root to another user for good, with the groups that own the files in `groupsOf`. Before, it makes that user the
 * owner of the folders in `owns`, and of the files with only one hard link. Returns `null` on success or when not root, else the error's
 * text.
 */
export function becomeUser({ user, owns, groupsOf }: UserChange): string | null {
  const { geteuid, setgroups, setgid, setuid } = process
  if (geteuid?.() !== 0 || setgroups === undefined || setgid === undefined || setuid === undefined) return null
  try {
    for (const path of owns) {
      // Symbolic links and files with several hard links keep their owner: the other name may be anywhere.
      const facts = lstatSync(path)
      if (facts.uid !== user && (facts.isDirectory() || (facts.isFile() && facts.nlink === 1))) lchownSync(path, user, user)
    }
    const groups = groupsOf.map((path) => statSync(path, { throwIfNoEntry: false })?.gid).filter((gid) => gid !== undefined)
    setgroups([...new Set(groups)])
    setgid(user)
    setuid(user)
    return null
  } catch (error) {
    return errorText(error)
  }
}
