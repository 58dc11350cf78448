import type { Choice } from '../../ui/select-list.tsx'

/**
 * Returns the list of choices for a time zone: UTC, the chosen one, and all that the browser lists. The chosen one may be an alias that is
 * not listed.
 */
export function zoneChoices(chosen: string | undefined): readonly Choice<string>[] {
  const zones = new Set(['UTC', ...(chosen === undefined ? [] : [chosen]), ...Intl.supportedValuesOf('timeZone')])
  return [...zones].map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))
}
