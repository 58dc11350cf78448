import { isDevicePath, isDeviceType } from '../../command.ts'
import { matchesGlob } from '../../text/glob.ts'
import { listAt, textAt, type Json } from '../../text/json.ts'

/** A drive that smartctl(8) can be asked for. */
export type SmartDevice = {
  readonly path: string
  /** As `-d` takes it; absent when smartctl is to find out by itself. */
  readonly type?: string
  /** Whether the configuration says the type; then it is passed on whatever it is. */
  readonly isTypeGiven: boolean
}

/** Where the answers of a drive belong: behind a controller several drives share one path. */
export const deviceKey = ({ path, type }: SmartDevice): string => (type === undefined ? path : `${path} ${type}`)

/** The answer to `smartctl --scan -j`. What is unusable is left out. */
export function parseScan(scan: Json): readonly SmartDevice[] {
  return listAt(scan, 'devices').flatMap((entry) => {
    const path = textAt(entry, 'name') ?? ''
    const type = textAt(entry, 'type')
    if (!isDevicePath(path)) return []
    return [type !== undefined && isDeviceType(type) ? { path, type, isTypeGiven: false } : { path, isTypeGiven: false }]
  })
}

/** `/dev/sda:sat`, `/dev/nvme0`; a path may hold colons itself. `undefined` when it is neither. */
export function parseDeviceSetting(text: string): SmartDevice | undefined {
  const [, path = '', type] = /^(\/dev\/.*?)(?::([a-z0-9][A-Za-z0-9,+/]*))?$/.exec(text) ?? []
  // The last part of a path such as /dev/disk/by-path/pci-0000:00 is no type.
  if (type !== undefined && /^\d+$/.test(type)) return isDevicePath(text) ? { path: text, isTypeGiven: false } : undefined
  if (!isDevicePath(path) || (type !== undefined && !isDeviceType(type))) return undefined
  return type === undefined ? { path, isTypeGiven: false } : { path, type, isTypeGiven: true }
}

/** What was scanned and what was configured: the latter knows better. */
export function mergeDevices(scanned: readonly SmartDevice[], configured: readonly SmartDevice[]): readonly SmartDevice[] {
  const isConfigured = ({ path }: SmartDevice): boolean => configured.some((one) => one.path === path)
  const typed = configured.map((one) => {
    const found = scanned.find(({ path }) => path === one.path)
    return one.type === undefined && found?.type !== undefined ? found : one
  })
  return [...scanned.filter((one) => !isConfigured(one)), ...typed]
}

/** Excluded ones are named as `/dev/sda`, `sda`, or with `*` as a wildcard. */
export const isExcluded = ({ path }: SmartDevice, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => matchesGlob(pattern, path) || matchesGlob(pattern, path.slice('/dev/'.length)))

/** smartctl finds SCSI and ATA out by itself, and its guess in a scan is at times wrong. */
export const typeArgument = ({ type, isTypeGiven }: SmartDevice): string | undefined =>
  isTypeGiven || (type !== 'scsi' && type !== 'ata') ? type : undefined

export const hasStatistics = ({ type }: SmartDevice): boolean => type === 'ata' || type?.startsWith('sat') === true
