import type { DiskAttribute, DiskHealth, DiskHealthStatus } from '@vedette/protocol/metrics/disk-health'
import { present } from '@vedette/protocol/wire/present'
import type { ProcSource } from '../../source/proc-source.ts'
import { parseCounter } from '../../text/columns.ts'
import { plainName } from '../../text/plain-name.ts'

/** Number of bytes, 512, in one unit of the block device sizes in sysfs, whatever the device's own sector size is. */
const SECTOR_BYTES = 512

/**
 * Returns the number at the start of a sysfs value; `undefined` when it does not start with a number. While a RAID array is reshaped, the
 * previous number follows in brackets: `4 (3)`.
 */
const firstCount = (text: string | undefined): number | undefined => parseCounter(text?.trim().split(' ')[0])
const textIn = (source: ProcSource, path: string): string | undefined => plainName(source.trySys(path) ?? '') || undefined
const countIn = (source: ProcSource, path: string): number | undefined => parseCounter(source.trySys(path)?.trim())

function capacityOf(source: ProcSource, name: string): number | undefined {
  const sectors = countIn(source, `block/${name}/size`)
  return sectors === undefined || sectors === 0 ? undefined : sectors * SECTOR_BYTES
}

const endOfLife: ReadonlyMap<number, DiskHealthStatus> = new Map([
  [1, 'PASSED'],
  [2, 'WARNING'],
  [3, 'FAILED'],
])

/**
 * Reads the health of the eMMC drives from sysfs and returns one entry for each that reports its pre-end-of-life state. Sources: kernel
 * Documentation/driver-api/mmc/mmc-dev-attrs.rst, JEDEC JESD84-B51 section 7.4.
 */
export function emmcHealth(source: ProcSource): readonly DiskHealth[] {
  return source
    .listSys('block')
    .filter((name) => /^mmcblk\d+$/.test(name))
    .flatMap((name) => {
      const device = `block/${name}/device`
      const end = Number(source.trySys(`${device}/pre_eol_info`)?.trim() ?? Number.NaN)
      if (!Number.isInteger(end)) return []
      const serial = textIn(source, `${device}/serial`)
      const [lifeA, lifeB] = (source.trySys(`${device}/life_time`) ?? '').trim().split(/\s+/)
      return [
        present<DiskHealth>({
          id: serial ?? `/dev/${name}`,
          serial,
          model: textIn(source, `${device}/name`),
          firmware: textIn(source, `${device}/fwrev`),
          capacityBytes: capacityOf(source, name),
          status: endOfLife.get(end) ?? 'UNKNOWN',
          device: `/dev/${name}`,
          type: 'emmc',
          attributes: [...wear('PreEOLInfo', String(end)), ...wear('DeviceLifeTimeEstA', lifeA), ...wear('DeviceLifeTimeEstB', lifeB)],
        }),
      ]
    })
}

/**
 * Returns a list with one attribute, `name`, for the wear of an eMMC drive. `text` is a hexadecimal number: the life time used in steps of
 * 10 % (`0x02`: 10 to 20 %), or the pre-end-of-life state from 1 to 3. The list is empty when it is no number.
 */
function wear(name: string, text: string | undefined): readonly DiskAttribute[] {
  const raw = Number(text ?? Number.NaN)
  return Number.isInteger(raw) && raw >= 0 ? [{ name, raw, rawText: text ?? '' }] : []
}

const brokenStates: readonly string[] = ['inactive', 'faulty', 'broken', 'stopped']
const wellStates: readonly string[] = ['clean', 'active', 'active-idle', 'readonly', 'read-auto', 'write-pending']
const rebuilding: readonly string[] = ['resync', 'recover', 'reshape']

export type ArrayState = {
  readonly state: string
  /** Name of the software RAID array's level in the kernel, such as `raid1`; `undefined` when unknown. */
  readonly level: string | undefined
  /**
   * Layout of a `raid10` array as a number from sysfs: the lowest byte is the count of near copies, the next byte that of far copies.
   * `undefined` when unknown.
   */
  readonly layout: number | undefined
  readonly syncAction: string | undefined
  readonly disks: number | undefined
  readonly degraded: number | undefined
  readonly mismatches: number | undefined
  /** List of the states of the RAID array's member disks, such as `in_sync`, `faulty` or `spare`. */
  readonly members: readonly string[]
}

/**
 * Returns the health of a software RAID array. FAILED: it is stopped or broken, or has lost as many disks as it can. WARNING: it is
 * rebuilding or being repaired, has lost fewer disks or has a faulty one, or counts mismatches outside a check. Otherwise PASSED, or
 * UNKNOWN for an unknown state.
 */
export function arrayStatus(array: ArrayState): DiskHealthStatus {
  const { state, syncAction = 'idle' } = array
  if (brokenStates.includes(state)) return 'FAILED'
  if (rebuilding.includes(syncAction)) return 'WARNING'
  return redundancyTrouble(array) ?? (wellStates.includes(state) ? 'PASSED' : 'UNKNOWN')
}

function redundancyTrouble(array: ArrayState): DiskHealthStatus | undefined {
  const { syncAction, mismatches = 0, members } = array
  const lost = lostMembers(array)
  if (lost > 0) return isSlotMirror(array) || lost < losableMembers(array) ? 'WARNING' : 'FAILED'
  if (members.some(isFaulty)) return 'WARNING'
  return syncAction === 'repair' || (mismatches > 0 && syncAction !== 'check') ? 'WARNING' : undefined
}

const isFaulty = (member: string): boolean => member.split(',').includes('faulty')
const isInSync = (member: string): boolean => member.split(',').includes('in_sync')

/**
 * Returns the number of disks that a RAID array has lost. A disk that has just failed counts although the kernel's `degraded` lacks it yet;
 * a faulty disk whose spare has taken over does not.
 */
function lostMembers({ disks, degraded = 0, members }: ArrayState): number {
  const isWhole = disks !== undefined && members.filter(isInSync).length >= disks
  return isWhole ? degraded : Math.max(degraded, members.filter(isFaulty).length)
}

/**
 * Returns how many disks a RAID array can lose without losing data, whichever they are. It is 0 for a level without redundancy or an
 * unknown one; 1 for a `raid10` with unknown layout.
 */
function losableMembers({ level, layout, disks }: ArrayState): number {
  if (level === 'raid1') return disks === undefined ? 0 : disks - 1
  if (level === 'raid10') return layout === undefined ? 1 : copiesOf(layout) - 1
  return losableByLevel.get(level ?? '') ?? 0
}

const losableByLevel: ReadonlyMap<string, number> = new Map([
  ['raid4', 1],
  ['raid5', 1],
  ['raid6', 2],
])

const copiesOf = (layout: number): number => (layout & 0xff) * ((layout >> 8) & 0xff)

/**
 * Minimum number of member disks, 8, of a RAID 1 whose missing members may be empty drive bays of a NAS. If more than half are missing, the
 * health is WARNING instead of FAILED.
 */
const SLOT_MIRROR_DISKS = 8

/**
 * Returns true for a RAID 1 with at least 8 member slots, more than half of them missing. Such an array has a slot for each drive bay of a
 * storage box (NAS), so the missing disks give WARNING instead of FAILED.
 */
const isSlotMirror = ({ level, disks = 0, degraded = 0 }: ArrayState): boolean =>
  level === 'raid1' && disks >= SLOT_MIRROR_DISKS && degraded > disks - degraded

/**
 * Reads the health of the software RAID arrays (md) from sysfs and returns one entry for each, except those in the state `clear` (no
 * members); kernel Documentation/admin-guide/md.rst.
 */
export function arrayHealth(source: ProcSource): readonly DiskHealth[] {
  return source
    .listSys('block')
    .filter((name) => name.startsWith('md'))
    .flatMap((name) => {
      const md = `block/${name}/md`
      const state = source.trySys(`${md}/array_state`)?.trim()
      // The kernel keeps the name of a stopped array for a while.
      if (state === undefined || state === 'clear') return []
      const facts: ArrayState = {
        state,
        level: source.trySys(`${md}/level`)?.trim(),
        layout: countIn(source, `${md}/layout`),
        syncAction: source.trySys(`${md}/sync_action`)?.trim(),
        disks: firstCount(source.trySys(`${md}/raid_disks`)),
        degraded: countIn(source, `${md}/degraded`),
        mismatches: countIn(source, `${md}/mismatch_cnt`),
        members: source
          .listSys(md)
          .filter((entry) => entry.startsWith('dev-'))
          .map((entry) => source.trySys(`${md}/${entry}/state`)?.trim() ?? ''),
      }
      return [
        present<DiskHealth>({
          id: `mdraid:${name}`,
          model: textIn(source, `${md}/level`),
          capacityBytes: capacityOf(source, name),
          status: arrayStatus(facts),
          device: `/dev/${name}`,
          type: 'mdraid',
          attributes: arrayAttributes(facts),
        }),
      ]
    })
}

const arrayAttributes = ({ state, syncAction, disks, degraded, mismatches, members }: ArrayState): readonly DiskAttribute[] => [
  ...(disks === undefined ? [] : [{ name: 'RaidDisks', raw: disks }]),
  ...(degraded === undefined ? [] : [{ name: 'Degraded', raw: degraded, rawText: `${degraded} (${plainName(state)})` }]),
  { name: 'Members', raw: members.length },
  ...(mismatches === undefined
    ? []
    : [{ name: 'MismatchCount', raw: mismatches, rawText: `${mismatches} (${plainName(syncAction ?? 'idle')})` }]),
]

const poolStatuses: ReadonlyMap<string, DiskHealthStatus> = new Map([
  ['ONLINE', 'PASSED'],
  ['DEGRADED', 'WARNING'],
  ['FAULTED', 'FAILED'],
  ['UNAVAIL', 'FAILED'],
  ['SUSPENDED', 'FAILED'],
  ['OFFLINE', 'FAILED'],
  ['REMOVED', 'FAILED'],
])

/**
 * Reads the health of the ZFS pools and returns one entry for each whose state can be read. Source: /proc/spl/kstat/zfs/POOL/state,
 * zpoolconcepts(7).
 */
export function poolHealth(source: ProcSource, procRoot: string): readonly DiskHealth[] {
  return source.own.list(`${procRoot}/spl/kstat/zfs`).flatMap((name) => {
    const state = source.tryProc(`spl/kstat/zfs/${name}/state`)?.trim()
    if (state === undefined) return []
    return [{ id: `zpool:${plainName(name)}`, model: plainName(name), status: poolStatuses.get(state) ?? 'UNKNOWN', type: 'zpool' }]
  })
}
