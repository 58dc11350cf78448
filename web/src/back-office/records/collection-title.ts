import { ownValue } from '@vedette/protocol/own-value'
import * as words from '../../words/messages.js'

const titles: Readonly<Record<string, (() => string) | undefined>> = { users: words.admin_users, systems: words.admin_systems }

/** Returns the displayed title of a collection by its name: translated if known, otherwise the name itself. */
export const collectionTitle = (name: string): string => ownValue(titles, name)?.() ?? name
