import type { ProcSource } from '../source/proc-source.ts'
import { parseMountInfo, type Mount } from '../text/mount-info.ts'

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
