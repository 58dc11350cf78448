import type { ProcSource } from '../../source/proc-source.ts'
import { labelsIn } from './device-names.ts'
import type { DiskCounterReader, DiskCounters } from './disk-counters.ts'
import { EXTRA_FOLDER, selectExtraFilesystems, type ExtraChoice, type NamedFilesystem } from './extra-filesystems.ts'
import { hostRootIn, parseMounts, readMountTexts, rootMountPoint, type MountTexts } from './mounts.ts'
import { selectRootDisk, type RootDisk } from './root-disk.ts'

export type DiskOptions = {
  readonly filesystem: string | undefined
  readonly extraFilesystems: readonly NamedFilesystem[] | undefined
  readonly isGuest: boolean
}

/**
 * Filesystems whose size and I/O are in each sample: the root filesystem (`root`), and all others with the skipped ones and why (`extra`).
 */
export type Disks = { readonly root: RootDisk; readonly extra: ExtraChoice }

export type DiskLayout = {
  /**
   * Returns the root filesystem and the other filesystems to measure in the sample of the time `atMs`. They are selected again when a mount
   * or device changed (checked at most every 2 s), and when the selection is 60 s old. Throws `SourceUnreadable` when no mount table is
   * readable.
   */
  readonly at: (atMs: number) => Disks
  /** Returns the selection of filesystems that the last call of `at` returned, without reading anything; `undefined` before the first. */
  readonly latest: () => Disks | undefined
}

/**
 * Minimum interval in ms, 2 s, at which the mount tables are checked for changes. A change causes a new selection of the filesystems to
 * measure.
 */
const LOOK_MS = 2000
const REFRESH_MS = 60_000

export function diskLayout(source: ProcSource, counters: DiskCounterReader, options: DiskOptions): DiskLayout {
  const labelOf = labelsIn(source)
  let latest: Disks | undefined
  let known: readonly DiskCounters[] = []
  let texts: MountTexts = { machine: '', own: '' }
  let names = ''
  let lookedAtMs = Number.NEGATIVE_INFINITY
  let chosenAtMs = Number.NEGATIVE_INFINITY

  /**
   * Returns the counters of all block devices at a sample's time. If /proc/diskstats has a malformed line or is missing, absent devices
   * keep their previous counters, because their filesystems would otherwise get another name.
   */
  const devicesAt = (atMs: number): readonly DiskCounters[] => {
    const { devices, problems } = counters(atMs) ?? { devices: [], problems: ['no counters'] }
    const unread = problems.length === 0 ? [] : known.filter(({ name }) => !devices.some((one) => one.name === name))
    known = unread.length === 0 ? devices : [...devices, ...unread]
    return known
  }

  const choose = (devices: readonly DiskCounters[]): Disks => {
    const mounts = parseMounts(texts)
    const { isGuest } = options
    const root = selectRootDisk({
      mounts,
      devices,
      rootMountPoint: rootMountPoint(source),
      hostRoot: mounts.own === mounts.machine ? hostRootIn(mounts.own, source) : undefined,
      filesystem: options.filesystem,
      labelOf,
      isGuest,
    })
    const folder = source.own.list(EXTRA_FOLDER)
    return {
      root,
      extra: selectExtraFilesystems({ mounts, devices, root, configured: options.extraFilesystems, folder, labelOf, isGuest }),
    }
  }

  return {
    at: (atMs) => {
      if (latest !== undefined && atMs - lookedAtMs < LOOK_MS) return latest
      lookedAtMs = atMs
      const devices = devicesAt(atMs)
      const isOld = atMs - chosenAtMs >= REFRESH_MS
      const nowTexts = readMountTexts(source, !isOld && texts.own === texts.machine)
      const nowNames = devices.map(({ name }) => name).join()
      const isSame = nowTexts.machine === texts.machine && nowTexts.own === texts.own && nowNames === names
      if (latest !== undefined && isSame && !isOld) return latest
      texts = nowTexts
      names = nowNames
      chosenAtMs = atMs
      latest = choose(devices)
      return latest
    },
    latest: () => latest,
  }
}
