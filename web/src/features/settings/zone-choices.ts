import type { Choice } from '../../ui/select-list.tsx'

/**
 * Returns the options of a time zone field (IANA name and label): UTC, the selected zone, and all zones that the browser lists. The
 * selected one may be an alias that the browser does not list.
 */
export function zoneChoices(chosen: string | undefined): readonly Choice<string>[] {
  const zones = new Set(['UTC', ...(chosen === undefined ? [] : [chosen]), ...Intl.supportedValuesOf('timeZone')])
  return [...zones].map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))
}
