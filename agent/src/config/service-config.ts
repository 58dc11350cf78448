import type { ServiceSetting } from '../collect/loaded-collectors.ts'
import { isUnitName, unitPattern } from '../collect/systemd/units.ts'
import type { OptionReader } from './option-reader.ts'

const ALL_SERVICES = '*.service'

/** Units of systemd by patterns; without any, all services. */
export function readServices(reader: OptionReader): ServiceSetting {
  const skip = (reader.text('SKIP_SYSTEMD') ?? 'false').toLowerCase()
  if (!/^(true|false|1|0)$/.test(skip)) reader.refuse(`SKIP_SYSTEMD: "${skip}" is not true or false`)
  if (skip === 'true' || skip === '1') return { mode: 'off' }
  const patterns = (reader.text('SERVICE_PATTERNS') ?? ALL_SERVICES)
    .split(',')
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '')
  for (const pattern of patterns) {
    // Wildcards of systemd aside, a pattern is made of what names are made of.
    if (!isUnitName(pattern.replaceAll(/[*?]/g, 'x')))
      reader.refuse(`SERVICE_PATTERNS: "${pattern}" is not a pattern such as ssh* or *.timer`)
  }
  return { mode: 'on', patterns: patterns.map(unitPattern) }
}
