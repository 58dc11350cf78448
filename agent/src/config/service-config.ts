import type { ServiceSetting } from '../collect/loaded-collectors.ts'
import { isUnitName, unitPattern } from '../collect/systemd/units.ts'
import type { OptionReader } from './option-reader.ts'

const ALL_SERVICES = '*.service'

/**
 * Reads the options for systemd units (SKIP_SYSTEMD and SERVICE_PATTERNS). Returns the setting: disabled, or the list of patterns of unit
 * names. By default, all services match; invalid texts are reported.
 */
export function readServices(reader: OptionReader): ServiceSetting {
  const skip = (reader.text('SKIP_SYSTEMD') ?? 'false').toLowerCase()
  if (!/^(true|false|1|0)$/.test(skip)) reader.refuse(`SKIP_SYSTEMD: "${skip}" is not true or false`)
  if (skip === 'true' || skip === '1') return { mode: 'off' }
  const patterns = (reader.text('SERVICE_PATTERNS') ?? ALL_SERVICES)
    .split(',')
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '')
  for (const pattern of patterns) {
    // Apart from wildcards, a pattern may contain the characters of unit names only.
    if (!isUnitName(pattern.replaceAll(/[*?]/g, 'x')))
      reader.refuse(`SERVICE_PATTERNS: "${pattern}" is not a pattern such as ssh* or *.timer`)
  }
  return { mode: 'on', patterns: patterns.map(unitPattern) }
}
