import { isDevicePath, isDeviceType } from '../../runtime/command.ts'
import { matchesGlob } from '../../text/glob.ts'
import { listAt, textAt, type Json } from '../../text/json.ts'

/** Drive to read with smartctl(8): path of the device, and the type for its option `-d`. */
export type SmartDevice = {
  readonly path: string
  /** Type of the drive for smartctl's option `-d`, such as `sat`; absent when smartctl itself detects the type. */
  readonly type?: string
  /**
   * True when the type comes from the agent's configuration; it is then always passed to smartctl. A type found by the scan is sometimes
   * wrong.
   */
  readonly isTypeGiven: boolean
}

/**
 * Returns the key under which a drive's results are cached: its path and, if known, its type. Drives behind a RAID controller share one
 * path and differ by type.
 */
export const deviceKey = ({ path, type }: SmartDevice): string => (type === undefined ? path : `${path} ${type}`)

/**
 * Parses the JSON output of `smartctl --scan -j` and returns the list of drives. Entries without a valid device path are left out; an
 * invalid type is dropped.
 */
export function parseScan(scan: Json): readonly SmartDevice[] {
  return listAt(scan, 'devices').flatMap((entry) => {
    const path = textAt(entry, 'name') ?? ''
    const type = textAt(entry, 'type')
    if (!isDevicePath(path)) return []
    return [type !== undefined && isDeviceType(type) ? { path, type, isTypeGiven: false } : { path, isTypeGiven: false }]
  })
}

/**
 * Parses a configured drive, such as `/dev/sda:sat` or `/dev/nvme0`, and returns its path and type for smartctl. The path may contain
 * colons. `undefined` when the text is invalid.
 */
export function parseDeviceSetting(text: string): SmartDevice | undefined {
  const [, path = '', type] = /^(\/dev\/.*?)(?::([a-z0-9][A-Za-z0-9,+/]*))?$/.exec(text) ?? []
  // Digits after the last colon of a path such as /dev/disk/by-path/pci-0000:00 are no type.
  if (type !== undefined && /^\d+$/.test(type)) return isDevicePath(text) ? { path: text, isTypeGiven: false } : undefined
  if (!isDevicePath(path) || (type !== undefined && !isDeviceType(type))) return undefined
  return type === undefined ? { path, isTypeGiven: false } : { path, type, isTypeGiven: true }
}

/**
 * Returns the list of the drives found by the scan and the configured drives. A configured drive replaces all found ones with the same
 * path, and takes over the type of the first of them if it has none.
 */
export function mergeDevices(scanned: readonly SmartDevice[], configured: readonly SmartDevice[]): readonly SmartDevice[] {
  const isConfigured = ({ path }: SmartDevice): boolean => configured.some((one) => one.path === path)
  const typed = configured.map((one) => {
    const found = scanned.find(({ path }) => path === one.path)
    return one.type === undefined && found?.type !== undefined ? found : one
  })
  return [...scanned.filter((one) => !isConfigured(one)), ...typed]
}

/**
 * Returns true when a drive's path matches one of the `patterns` of drives to leave out: `/dev/sda`, `sda`, or either with `*` as a
 * wildcard.
 */
export const isExcluded = ({ path }: SmartDevice, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => matchesGlob(pattern, path) || matchesGlob(pattern, path.slice('/dev/'.length)))

/**
 * Returns the drive's type for smartctl's option `-d`, or `undefined` to omit it. It is omitted for `scsi` and `ata` from the scan, because
 * smartctl detects these better itself.
 */
export const typeArgument = ({ type, isTypeGiven }: SmartDevice): string | undefined =>
  isTypeGiven || (type !== 'scsi' && type !== 'ata') ? type : undefined

export const hasStatistics = ({ type }: SmartDevice): boolean => type === 'ata' || type?.startsWith('sat') === true
