import type { DiskHealthOptions } from '../collect/disk-health/disk-health.ts'
import { parseDeviceSetting } from '../collect/disk-health/smart-devices.ts'
import { parseNameFilter } from '../text/glob.ts'
import type { OptionReader } from './option-reader.ts'

/**
 * Reads the options for disk health: SMART_DEVICES, its separator and EXCLUDE_SMART. Returns which drives to read, which to leave out, and
 * whether to scan. An empty SMART_DEVICES disables smartctl.
 */
export function readDiskHealth(reader: OptionReader): DiskHealthOptions {
  const text = reader.given('SMART_DEVICES')?.trim()
  const separator = reader.text('SMART_DEVICES_SEPARATOR') ?? ','
  const entries = (text ?? '')
    .split(separator)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const devices = entries.flatMap((entry) => {
    const device = parseDeviceSetting(entry)
    if (device === undefined) reader.refuse(`SMART_DEVICES: "${entry}" is not /dev/… or /dev/…:type`)
    return device ?? []
  })
  return { scan: text !== '', devices, exclude: parseNameFilter(reader.text('EXCLUDE_SMART') ?? '').patterns }
}
