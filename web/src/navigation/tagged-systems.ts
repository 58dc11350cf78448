import { paths } from '../paths.ts'
import { addressOf, textField } from './search.ts'

/**
 * Codec (functions that read and write) for the URL parameter with the filter text of the page All Systems. A text of more than 500 UTF-16
 * units is read as empty.
 */
export const fleetFilter = textField(500)

/**
 * Returns the filter text `tag:…` of All Systems for a tag, in quotes if the tag contains white space. It matches systems with this tag;
 * `tag:prod` also matches systems with a tag whose key or value is `prod`.
 */
export const tagFilter = (tag: string): string => `tag:${/\s/.test(tag) ? `"${tag}"` : tag}`

/**
 * Returns the URL path of the page All Systems with a filter for the tag `tag`, such as `/?filter=tag%3Aprod`. The page shows only matching
 * systems.
 */
export const taggedSystems = (tag: string): string => addressOf(paths.home, { filter: fleetFilter }, { filter: tagFilter(tag) })
