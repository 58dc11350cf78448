import { lchownSync, lstatSync, statSync } from 'node:fs'
import type { UserChange } from '../runtime.ts'
import { errorText } from './error-text.ts'

/** As `Runtime.becomeUser`. */
export function becomeUser({ user, owns, groupsOf }: UserChange): string | null {
  const { geteuid, setgroups, setgid, setuid } = process
  if (geteuid?.() !== 0 || setgroups === undefined || setgid === undefined || setuid === undefined) return null
  try {
    for (const path of owns) {
      // A link is left alone, and so is a file with a second name: that name may be anywhere.
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
