import { columns, filledLines } from './columns.ts'

/** Data of one mount, from a line of /proc/PID/mountinfo, proc(5): mount point, device number, mounted part, source and filesystem type. */
export type Mount = {
  readonly mountPoint: string
  /** Device number of the mount's filesystem as text `major:minor`; the major number is 0 for filesystems without a block device. */
  readonly deviceNumber: string
  /** Path of the part of the filesystem that is mounted: `/` for all of it, else a bind-mounted folder or a subvolume. */
  readonly root: string
  /** Source of the mount as mountinfo has it, such as `/dev/sda1` or `overlay`. */
  readonly source: string
  readonly filesystem: string
}

/** Parses the text of /proc/PID/mountinfo into a list of mounts, proc(5). Lines that cannot be parsed are left out. */
export function parseMountInfo(text: string): readonly Mount[] {
  return filledLines(text).flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ', 2)
    const [, , deviceNumber, root, mountPoint] = columns(before)
    const [filesystem, source] = columns(after)
    if (deviceNumber === undefined || root === undefined || mountPoint === undefined || filesystem === undefined || source === undefined)
      return []
    return [{ deviceNumber, root: unescaped(root), mountPoint: unescaped(mountPoint), filesystem, source: unescaped(source) }]
  })
}

/** Returns a field of mountinfo with its octal escapes decoded. Such escapes stand for space, tab, newline and backslash. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 8)))

/**
 * Returns the mount that a path without symbolic links lies on; `undefined` for none. The deepest mount point wins, and of several mounts
 * at one point the last one.
 */
export function mountOf(mounts: readonly Mount[], path: string): Mount | undefined {
  let deepest: Mount | undefined
  for (const mount of mounts) {
    const { mountPoint } = mount
    const holds = mountPoint === '/' || path === mountPoint || path.startsWith(`${mountPoint}/`)
    if (holds && mountPoint.length >= (deepest?.mountPoint.length ?? 0)) deepest = mount
  }
  return deepest
}
