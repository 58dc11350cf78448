import type { Choice } from '../../ui/select-list.tsx'

/** Every time zone that the browser lists, UTC, which some leave out, and the chosen one, which may go by its other name. */
export function zoneChoices(chosen: string | undefined): readonly Choice<string>[] {
  const zones = new Set(['UTC', ...(chosen === undefined ? [] : [chosen]), ...Intl.supportedValuesOf('timeZone')])
  return [...zones].map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))
}
