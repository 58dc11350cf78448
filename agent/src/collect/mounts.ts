import type { ProcSource } from '../source/proc-source.ts'
import { columns, filledLines } from '../text/columns.ts'

/** One line of /proc/PID/mountinfo, proc(5). */
export type Mount = {
  readonly mountPoint: string
  /** `major:minor` of the device; `0:N` for filesystems without one. */
  readonly deviceNumber: string
  /** Mounted thing, such as `/dev/sda1` or `overlay`. */
  readonly source: string
  readonly filesystem: string
}

/** Fields before the separator are `id parent major:minor root mountpoint options tag…`, after it `type source options`. */
export function parseMountInfo(text: string): readonly Mount[] {
  return filledLines(text).flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ', 2)
    const [, , deviceNumber, , mountPoint] = columns(before)
    const [filesystem, source] = columns(after)
    if (deviceNumber === undefined || mountPoint === undefined || filesystem === undefined || source === undefined) return []
    return [{ deviceNumber, mountPoint: unescaped(mountPoint), filesystem, source: unescaped(source) }]
  })
}

/** Space, tab, newline and backslash are written as three octal digits. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 8)))

/** The mounts of the machine's first process, which in a container with the host's process table are the host's. */
export function readMounts(source: ProcSource): readonly Mount[] {
  return parseMountInfo(source.tryProc('1/mountinfo') ?? source.readProc('self/mountinfo'))
}

const containerMarks = ['/etc/hosts', '/etc/resolv.conf', '/etc/hostname']

/** Files the engine binds into a container lie on the host's filesystem and so tell its device. */
export const liesOnHostDisk = (mount: Mount): boolean => containerMarks.includes(mount.mountPoint) && mount.source.startsWith('/dev')

const immutable = [['silverblue', 'fedora'], ['coreos'], ['flatcar'], ['rhel-atomic'], ['centos-atomic']]

/** On image-based distributions `/` is a small read-only image and the disk is at /sysroot. */
export function rootMountPoint(source: ProcSource): string {
  const release = source.tryEtc('os-release')?.toLowerCase() ?? ''
  const isImage = immutable.some((words) => words.every((word) => release.includes(word))) || source.exists('/run/ostree')
  return isImage && source.exists('/sysroot') ? '/sysroot' : '/'
}
