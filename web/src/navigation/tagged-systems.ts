import { paths } from '../paths.ts'
import { addressOf, textField } from './search.ts'

/** Codec (functions that read and write) for the filter of All Systems in the URL. */
export const fleetFilter = textField(500)

/** Returns the filter text that selects the systems with exactly this tag or, for `prod`, also with a key or value `prod`. */
export const tagFilter = (tag: string): string => `tag:${/\s/.test(tag) ? `"${tag}"` : tag}`

/** Returns the URL of All Systems with the systems of a tag. */
export const taggedSystems = (tag: string): string => addressOf(paths.home, { filter: fleetFilter }, { filter: tagFilter(tag) })
