import { columns, filledLines } from './columns.ts'

/** One line of /proc/PID/mountinfo, proc(5). */
export type Mount = {
  readonly mountPoint: string
  /** `major:minor` of the device; `0:N` for filesystems without one. */
  readonly deviceNumber: string
  /** The part of the filesystem that is seen here: `/` for all of it, else a bound folder or a subvolume. */
  readonly root: string
  /** Mounted thing, such as `/dev/sda1` or `overlay`. */
  readonly source: string
  readonly filesystem: string
}

/** Fields before the separator are `id parent major:minor root mountpoint options tag…`, after it `type source options`. */
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

/** Space, tab, newline and backslash are written as three octal digits. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 8)))

/** The mount that a path without symbolic links lies on: the deepest, of those at one place the one on top. */
export function mountOf(mounts: readonly Mount[], path: string): Mount | undefined {
  let deepest: Mount | undefined
  for (const mount of mounts) {
    const { mountPoint } = mount
    const holds = mountPoint === '/' || path === mountPoint || path.startsWith(`${mountPoint}/`)
    if (holds && mountPoint.length >= (deepest?.mountPoint.length ?? 0)) deepest = mount
  }
  return deepest
}
