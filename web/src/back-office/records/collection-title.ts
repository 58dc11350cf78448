import { ownValue } from '@vedette/protocol/own-value'
import * as words from '../../words/messages.js'

const titles: Readonly<Record<string, (() => string) | undefined>> = { users: words.admin_users, systems: words.admin_systems }

/** Returns the title of a collection's page: a translated title, or the collection's name. */
export const collectionTitle = (name: string): string => ownValue(titles, name)?.() ?? name
