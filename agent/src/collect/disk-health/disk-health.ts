import type { SkippedPart } from '@vedette/protocol/metrics/diagnosis'
import type { DiskHealth, DiskHealthReport } from '@vedette/protocol/metrics/disk-health'
import type { CommandEnd, Commands } from '../../runtime/command.ts'
import type { ByteTools } from '../../runtime/runtime.ts'
import type { ProcSource } from '../../source/proc-source.ts'
import { parseJson } from '../../text/json.ts'
import type { CollectorReport } from '../collector.ts'
import { DRIVE_ACCESS_COMMAND } from './drive-access.ts'
import { arrayHealth, emmcHealth, poolHealth } from './kernel-health.ts'
import { readSmartAnswer, type SmartAnswer } from './smart-answer.ts'
import { deviceKey, hasStatistics, isExcluded, mergeDevices, parseScan, typeArgument, type SmartDevice } from './smart-devices.ts'

export type DiskHealthOptions = {
  /** True to find drives with `smartctl --scan`; false to read only the configured drives. */
  readonly scan: boolean
  readonly devices: readonly SmartDevice[]
  /** List of patterns of names of drives whose health the agent does not read, such as `/dev/sd*`; `*` is a wildcard. */
  readonly exclude: readonly string[]
}

export type DiskHealthParts = {
  readonly source: ProcSource
  readonly procRoot: string
  readonly commands: Commands
  readonly bytes: ByteTools
  /** Function that returns the current time of the agent's monotonic clock in ms. */
  readonly nowMs: () => number
}

export type DiskHealthReader = {
  /**
   * Reads the health (SMART and similar) of all drives that are not excluded, one after the other. Resolves with the list and whether it is
   * complete. Calls during a reading get its report. Drives that do not respond keep their last known values, with their age. If one has
   * none, or the scan failed, the report is incomplete.
   */
  readonly read: () => Promise<DiskHealthReport>
  /**
   * Returns which drives the last reading found (text), which it skipped and why, and the command that grants missing permissions, for the
   * agent's diagnostics. Reads no drive.
   */
  readonly report: () => CollectorReport
}

/** Cache time in ms, 30 min, of the list of drives from `smartctl --scan`. Drives rarely change, and a scan queries every controller. */
const SCAN_KEPT_MS = 30 * 60_000

/**
 * Time limit in ms, 50 s, for one reading of all drives; the hub's timeout is 60 s. Drives that are not read in time keep their last known
 * values.
 */
const BUDGET_MS = 50_000

type Found = { readonly devices: readonly SmartDevice[]; readonly isWhole: boolean }
type Round = {
  readonly skipped: SkippedPart[]
  readonly remedies: Set<string>
  /** Set of keys of the drives that have responded in the current reading of all drives. A key is made of the drive's path and type. */
  readonly responded: Set<string>
  isWhole: boolean
}

/**
 * Creates the reader of drive health: drives (by smartctl), eMMC, software RAID arrays and ZFS pools. A sleeping drive is not woken: its
 * last known values are reported, or the report is marked as incomplete.
 */
export function createDiskHealth(parts: DiskHealthParts, options: DiskHealthOptions): DiskHealthReader {
  const { source, commands, bytes, nowMs } = parts
  const known = new Map<string, { readonly health: DiskHealth; readonly atMs: number }>()
  /**
   * Map from the path of an NVMe controller, such as `/dev/nvme0`, to that of its first namespace, such as `/dev/nvme0n1`. Such a
   * controller gave smartctl no values, so the namespace is read instead.
   */
  const namespaces = new Map<string, string>()
  let found: (Found & { readonly atMs: number }) | undefined
  let reading: Promise<DiskHealthReport> | undefined
  let report: CollectorReport = {}

  const scan = async (round: Round): Promise<Found> => {
    if (found !== undefined && nowMs() - found.atMs < SCAN_KEPT_MS) return found
    const end = options.scan ? await commands.run({ name: 'smartctl scan' }) : undefined
    const answer = end?.ok === true ? parseJson(bytes.fromUtf8(end.output)) : undefined
    if (end !== undefined && answer === undefined) noteFailedScan(source, end, round)
    const isWhole = !options.scan || answer !== undefined
    const result = { devices: mergeDevices(answer === undefined ? [] : parseScan(answer), options.devices), isWhole, atMs: nowMs() }
    // A failed scan is repeated at the next read.
    found = isWhole ? result : undefined
    return result
  }

  const ask = async (device: SmartDevice): Promise<SmartAnswer> => {
    const type = typeArgument(device)
    const command = { name: 'smartctl read', device: device.path, statistics: hasStatistics(device) } as const
    const end = await commands.run(type === undefined ? command : { ...command, type })
    if (!end.ok) return { kind: 'failed', why: end.reason }
    return readSmartAnswer(parseJson(bytes.fromUtf8(end.output)), end.exitCode, device)
  }

  /**
   * Reads the health of a drive with smartctl and resolves with the values, or with the reason why there are none. For an NVMe controller
   * without values, its first namespace is read instead.
   */
  const askController = async (device: SmartDevice): Promise<SmartAnswer> => {
    const namespace = namespaces.get(device.path)
    if (namespace !== undefined) return ask({ ...device, path: namespace })
    const answer = await ask(device)
    if (answer.kind === 'health' || !/^\/dev\/nvme\d+$/.test(device.path)) return answer
    const other = `${device.path}n1`
    const second = await ask({ ...device, path: other })
    if (second.kind !== 'health') return answer
    namespaces.set(device.path, other)
    return second
  }

  const readDrives = async (round: Round): Promise<readonly DiskHealth[]> => {
    const startedAtMs = nowMs()
    const { devices, isWhole } = await scan(round)
    round.isWhole &&= isWhole
    const asked = devices.filter((device) => !isExcluded(device, options.exclude))
    for (const { path } of devices.filter((device) => !asked.includes(device)))
      round.skipped.push({ what: path, why: 'EXCLUDE_SMART names it' })
    for (const device of asked) {
      const isLate = nowMs() - startedAtMs > BUDGET_MS
      const answer: SmartAnswer = isLate ? { kind: 'failed', why: 'there was no time left to ask it' } : await askController(device)
      noteAnswer(device, answer, round)
    }
    const keys = new Set(asked.map(deviceKey))
    for (const key of known.keys()) if (!keys.has(key)) known.delete(key)
    const endedAtMs = nowMs()
    return asked.flatMap((device) => {
      const last = known.get(deviceKey(device))
      if (last === undefined) return []
      return [round.responded.has(deviceKey(device)) ? last.health : { ...last.health, ageMs: endedAtMs - last.atMs }]
    })
  }

  const noteAnswer = (device: SmartDevice, answer: SmartAnswer, round: Round): void => {
    const key = deviceKey(device)
    if (answer.kind === 'health') {
      known.set(key, { health: answer.health, atMs: nowMs() })
      round.responded.add(key)
      return
    }
    if (answer.kind === 'failed' && /no such (device|file)/i.test(answer.why)) {
      // Unplugged or renamed: the next read scans again before a drive is reported as gone.
      known.delete(key)
      found = undefined
    }
    if (answer.kind === 'left out') known.delete(key)
    else if (!known.has(key)) round.isWhole = false
    const why = answer.kind === 'asleep' ? 'asleep; it is not woken' : answer.why
    round.skipped.push({ what: device.path, why })
    if (/permission denied|operation not permitted/i.test(why)) round.remedies.add(DRIVE_ACCESS_COMMAND)
  }

  const readAll = async (): Promise<DiskHealthReport> => {
    const round: Round = { skipped: [], remedies: new Set(), responded: new Set(), isWhole: true }
    const drives = await readDrives(round)
    const all = [...drives, ...emmcHealth(source), ...arrayHealth(source), ...poolHealth(source, parts.procRoot)]
    const devices = onlyOnce(all, round)
    const [remedy] = round.remedies
    report = {
      ...(devices.length === 0 ? {} : { found: devices.map(({ device, id }) => device ?? id).join(', ') }),
      skipped: round.skipped,
      ...(remedy === undefined ? {} : { remedy }),
    }
    return { devices, complete: round.isWhole }
  }

  return {
    read: () => {
      reading ??= readAll().finally(() => {
        reading = undefined
      })
      return reading
    },
    report: () => report,
  }
}

const INSTALL = 'apt install smartmontools'

function noteFailedScan(source: ProcSource, end: CommandEnd, round: Round): void {
  const isMissing = !end.ok && !end.isInstalled
  const hasDrives = source.listSys('block').some((name) => /^(sd|nvme|hd)/.test(name))
  if (isMissing && hasDrives) round.remedies.add(INSTALL)
  round.skipped.push({ what: 'drives', why: end.ok ? `smartctl --scan ended with status ${end.exitCode} and told nothing` : end.reason })
}

/**
 * Returns the drives' health with each drive (by its id, such as the serial number) only once, as read by the first path to it. Further
 * paths are added to `round.skipped` with the reason.
 */
function onlyOnce(all: readonly DiskHealth[], round: Round): readonly DiskHealth[] {
  const byId = new Map<string, DiskHealth>()
  for (const health of all) {
    const same = byId.get(health.id)
    if (same === undefined) byId.set(health.id, health)
    else round.skipped.push({ what: health.device ?? health.id, why: `the same drive as ${same.device ?? same.id}` })
  }
  return [...byId.values()]
}
