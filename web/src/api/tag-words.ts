import * as words from '../words/messages.js'
import { mayGiveAccess, type SystemTag, type TagSource } from './system-tags.ts'

/** Object from the source of a tag, such as `agent`, to a function that returns the source's translated name. */
export const tagSourceWords: Readonly<Record<TagSource, () => string>> = {
  admin: words.tag_source_admin,
  token: words.tag_source_token,
  person: words.tag_source_person,
  agent: words.tag_source_agent,
  rule: words.tag_source_rule,
}

/** Returns the translated names of a tag's sources as one text, such as "admin, agent"; "unknown source" when the hub sent none. */
export const sourcesText = ({ sources }: Pick<SystemTag, 'sources'>): string =>
  sources.length === 0 ? words.tag_source_unknown() : sources.map((source) => tagSourceWords[source]()).join(', ')

/**
 * Returns the note to show beside an untrusted tag: its sources as translated text, such as "agent". `undefined` for a tag that can give
 * access to systems.
 */
export const tagNote = (tag: SystemTag): string | undefined => (mayGiveAccess(tag) ? undefined : sourcesText(tag))

/** Returns the translated tooltip of a tag: the tag's text, its sources, and for an untrusted tag that it gives no access. */
export const aboutTag = (tag: SystemTag): string =>
  (mayGiveAccess(tag) ? words.tag_about : words.tag_about_untrusted)({ tag: tag.text, sources: sourcesText(tag) })
