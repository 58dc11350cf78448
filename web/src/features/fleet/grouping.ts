/** Rule that groups the list of systems: not at all, by the values of one tag key such as `env`, or by each tag. */
export type FleetGrouping = { readonly kind: 'none' } | { readonly kind: 'anyTag' } | { readonly kind: 'key'; readonly key: string }

const noGrouping: FleetGrouping = { kind: 'none' }
const KEY = 'key:'

/**
 * Parses the rule for grouping the list of systems from text of the URL: `none`, `tag` (each tag) or `key:env`. `undefined` for any other
 * text.
 */
export function parseGrouping(text: string | undefined): FleetGrouping | undefined {
  if (text === 'none') return noGrouping
  if (text === 'tag') return { kind: 'anyTag' }
  return text?.startsWith(KEY) === true ? { kind: 'key', key: text.slice(KEY.length) } : undefined
}

/** Parses the rule for grouping the list of systems like `parseGrouping`, but returns "no grouping" for any other or missing text. */
export const readGrouping = (text: string | undefined): FleetGrouping => parseGrouping(text) ?? noGrouping

/** Returns the rule for grouping the list of systems as text for the URL: `none`, `tag` or `key:env`. */
export function groupingText(grouping: FleetGrouping): string {
  if (grouping.kind === 'key') return KEY + grouping.key
  return grouping.kind === 'anyTag' ? 'tag' : 'none'
}
