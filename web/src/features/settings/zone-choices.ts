import type { Choice } from '../../ui/select-list.tsx'

/**
 * Returns the options of a time zone field as a list of IANA name and label. They are UTC, the selected zone (maybe an alias), and all
 * zones that the browser lists.
 */
export function zoneChoices(chosen: string | undefined): readonly Choice<string>[] {
  const zones = new Set(['UTC', ...(chosen === undefined ? [] : [chosen]), ...Intl.supportedValuesOf('timeZone')])
  return [...zones].map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))
}
