import type { SkippedPart } from '@vedette/protocol/metrics/diagnosis'
import { mountOf, type Mount } from '../../text/mount-info.ts'
import { plainName } from '../../text/plain-name.ts'
import { baseName, deviceCalled, deviceOf, type LabelOf } from './device-names.ts'
import type { DiskCounters } from './disk-counters.ts'
import { poolOf, reasonAgainst } from './filesystem-kinds.ts'
import { pathTo, type Mounts } from './mounts.ts'
import type { RootDisk } from './root-disk.ts'

/**
 * Description of a filesystem to measure besides the root: its display name, the path for statfs(2), and the block device whose counters
 * give its I/O rates.
 */
export type ExtraFilesystem = {
  readonly name: string
  readonly path: string
  readonly device: string | undefined
  readonly deviceNumber: string | undefined
}

/**
 * Parsed text `device-or-mountpoint__Display name`, from EXTRA_FILESYSTEMS or the name of a folder in `/extra-filesystems`. `wanted` is the
 * part before `__`; `displayName` the rest, or `undefined`.
 */
export type NamedFilesystem = { readonly wanted: string; readonly displayName: string | undefined }

export function parseNamedFilesystem(text: string): NamedFilesystem {
  const at = text.indexOf('__')
  const displayName = at === -1 ? '' : plainName(text.slice(at + 2))
  return { wanted: (at === -1 ? text : text.slice(0, at)).trim(), displayName: displayName || undefined }
}

/** Path of a folder in the agent's container. Its direct children, mounts or plain folders, are extra filesystems to measure. */
export const EXTRA_FOLDER = '/extra-filesystems'

/** Entry `*` of the option EXTRA_FILESYSTEMS, which stands for all automatically detected disks. */
const BY_ITSELF = '*'

export type ExtraFacts = {
  readonly mounts: Mounts
  readonly devices: readonly DiskCounters[]
  readonly root: RootDisk
  /**
   * Parsed entries of the option EXTRA_FILESYSTEMS. `undefined` when it is not set: then all disks of the machine are detected
   * automatically.
   */
  readonly configured: readonly NamedFilesystem[] | undefined
  /**
   * List of the names of the entries in the folder `/extra-filesystems` of the agent's container. Each entry is an extra filesystem to
   * measure; its name may have the form `NAME__Display name`.
   */
  readonly folder: readonly string[]
  readonly labelOf: LabelOf
  readonly isGuest: boolean
}

export type ExtraChoice = { readonly filesystems: readonly ExtraFilesystem[]; readonly skipped: readonly SkippedPart[] }

/**
 * Maximum number of filesystems besides the root in a sample, 64; further ones are skipped. So the dashboard's list of a system's
 * filesystems stays readable.
 */
const MAX_FILESYSTEMS = 64

type Candidate = {
  readonly what: string
  readonly mount?: Mount | undefined
  readonly path?: string | undefined
  readonly displayName?: string | undefined
  /**
   * Name of a block device to use when the mount's own device has no I/O counters, such as the device below an encrypted one; absent for
   * none.
   */
  readonly deviceHint?: string
  readonly refused?: string
}

/**
 * Selects the extra filesystems to measure, at most 64: configured ones, then those in `/extra-filesystems`. Detected ones follow if none
 * are configured or `*` is. Each filesystem (by major:minor) appears once; skipped ones are returned with the reason.
 */
export function selectExtraFilesystems(facts: ExtraFacts): ExtraChoice {
  const filesystems: ExtraFilesystem[] = []
  const skipped: SkippedPart[] = []
  const takenBy = new Map([[facts.root.deviceNumber ?? '', 'the root disk']])
  for (const candidate of candidatesOf(facts)) {
    const { what, mount, path } = candidate
    const owner = takenBy.get(mount?.deviceNumber ?? 'none')
    const why = candidate.refused ?? (owner === undefined ? undefined : `the same filesystem as ${owner}`)
    if (why !== undefined) skipped.push({ what, why })
    else if (path === undefined) skipped.push({ what, why: 'not mounted where the agent can see it' })
    else if (filesystems.length === MAX_FILESYSTEMS) skipped.push({ what, why: `more than ${MAX_FILESYSTEMS} filesystems` })
    else {
      if (mount !== undefined) takenBy.set(mount.deviceNumber, what)
      const device = deviceFor(candidate, facts)
      const name = uniqueName(nameOf(candidate, device, path), filesystems)
      filesystems.push({ name, path, device, deviceNumber: mount?.deviceNumber })
    }
  }
  return { filesystems, skipped: grouped(skipped) }
}

function candidatesOf(facts: ExtraFacts): readonly Candidate[] {
  const { configured, folder } = facts
  const named = (configured ?? []).filter(({ wanted }) => wanted !== BY_ITSELF).map((one) => configuredCandidate(one, facts))
  const inFolder = folder.map((name) => folderCandidate(name, facts))
  const isFound = configured === undefined || configured.some(({ wanted }) => wanted === BY_ITSELF)
  return [...named, ...inFolder, ...(isFound ? foundCandidates(facts) : [])]
}

function configuredCandidate({ wanted, displayName }: NamedFilesystem, { mounts, devices, labelOf, root }: ExtraFacts): Candidate {
  const { machine } = mounts
  const byDevice = (): Mount | undefined => {
    const device = wanted.startsWith('/') ? undefined : deviceCalled(wanted, devices, labelOf)
    const isNamed = device !== undefined && (device.name === wanted || labelOf(device) === wanted)
    return isNamed ? machine.find(({ deviceNumber }) => deviceNumber === device.number) : undefined
  }
  const mount =
    machine.findLast(({ mountPoint }) => mountPoint === wanted) ??
    machine.findLast(({ mountPoint }) => mountPoint === root.folder + wanted) ??
    machine.find(({ source }) => source === wanted || source.endsWith(`/${wanted}`)) ??
    byDevice()
  if (mount !== undefined) return { what: wanted, mount, path: pathTo(mounts, mount), displayName }
  // statfs(2) of a device node would return the size of /dev.
  if (wanted.startsWith('/dev/')) return { what: wanted, refused: 'not mounted' }
  if (wanted.startsWith('/')) return { what: wanted, mount: mountOf(mounts.own, wanted), path: wanted, displayName }
  return { what: wanted, refused: 'no mount point, device or label has this name' }
}

function folderCandidate(name: string, { mounts }: ExtraFacts): Candidate {
  const path = `${EXTRA_FOLDER}/${name}`
  const { wanted, displayName } = parseNamedFilesystem(name)
  const mount = mounts.own.findLast(({ mountPoint }) => mountPoint === path)
  return { what: path, mount, path, displayName, deviceHint: wanted }
}

/**
 * Returns candidates for extra filesystems: the mounts that may be measured, and those that may not, each with the reason as text
 * (`refused`). Mounts of whole filesystems come before those of subfolders, then those with shorter paths.
 */
function foundCandidates(facts: ExtraFacts): readonly Candidate[] {
  const { mounts, root, isGuest } = facts
  const rootPool = root.source === undefined ? undefined : root.source.split('/', 1)[0]
  const onTop = new Map(mounts.machine.map((mount) => [mount.mountPoint, mount]))
  const disks = [...onTop.values()]
    .filter(
      ({ mountPoint, deviceNumber }) =>
        !mountPoint.startsWith(`${EXTRA_FOLDER}/`) &&
        !(deviceNumber === root.deviceNumber && (mountPoint === '/' || mountPoint === root.path)),
    )
    .toSorted((a, b) => Number(a.root !== '/') - Number(b.root !== '/') || a.mountPoint.length - b.mountPoint.length)
  return disks.map((mount) => {
    const what = mount.mountPoint
    const pool = poolOf(mount)
    const why =
      reasonAgainst(mount, placeOf(mount, root)) ??
      (pool !== undefined && pool === rootPool && !isGuest
        ? 'a dataset in the pool of the root disk: name it in EXTRA_FILESYSTEMS'
        : undefined)
    return why === undefined ? { what, mount, path: pathTo(mounts, mount) } : { what, refused: why }
  })
}

/**
 * Returns a mount's path as seen on the machine: without the prefix, such as `/host`, under which the machine's root is mounted in the
 * agent's container.
 */
const placeOf = ({ mountPoint }: Mount, { folder }: RootDisk): string =>
  folder !== '' && mountPoint.startsWith(`${folder}/`) ? mountPoint.slice(folder.length) : mountPoint

function deviceFor({ mount, deviceHint }: Candidate, { devices, labelOf }: ExtraFacts): string | undefined {
  const device = mount && deviceOf(mount, devices, labelOf)
  if (device !== undefined || deviceHint === undefined) return device?.name
  return devices.find((one) => one.name === deviceHint || labelOf(one) === deviceHint)?.name
}

/**
 * Returns the display name of an extra filesystem: the configured one, else the name of its block device, ZFS dataset or folder. Hubs store
 * its history under this name, so it must not change.
 */
function nameOf({ mount, displayName, deviceHint }: Candidate, device: string | undefined, path: string): string {
  if (displayName !== undefined) return displayName
  const dataset = mount?.filesystem === 'zfs' ? mount.source : undefined
  return plainName(device ?? dataset ?? deviceHint ?? baseName(path)) || path
}

function uniqueName(name: string, others: readonly ExtraFilesystem[]): string {
  const isTaken = (one: string): boolean => others.some((other) => other.name === one)
  for (let number = 2, unique = name; ; number++) {
    if (!isTaken(unique)) return unique
    unique = `${name} (${number})`
  }
}

const NAMED_SKIPPED = 3

/**
 * Merges skipped filesystems with equal reasons into one entry for each reason. Its text has up to three of their names and the number of
 * further ones.
 */
function grouped(skipped: readonly SkippedPart[]): readonly SkippedPart[] {
  const reasons = [...new Set(skipped.map(({ why }) => why))]
  return reasons.map((why) => {
    const all = skipped.filter((one) => one.why === why).map(({ what }) => plainName(what))
    const named = all.slice(0, NAMED_SKIPPED).join(', ')
    return { what: all.length <= NAMED_SKIPPED ? named : `${named} and ${all.length - NAMED_SKIPPED} more`, why }
  })
}
