import * as words from '../words/messages.js'
import { mayGiveAccess, type SystemTag, type TagSource } from './system-tags.ts'

/** Map from a source of tags to a function that returns its translated word, such as "agent". */
export const tagSourceWords: Readonly<Record<TagSource, () => string>> = {
  admin: words.tag_source_admin,
  token: words.tag_source_token,
  person: words.tag_source_person,
  agent: words.tag_source_agent,
  rule: words.tag_source_rule,
}

/** Returns the translated words of a tag's sources, such as "admin, agent". A tag without known sources is "unknown source". */
export const sourcesText = ({ sources }: Pick<SystemTag, 'sources'>): string =>
  sources.length === 0 ? words.tag_source_unknown() : sources.map((source) => tagSourceWords[source]()).join(', ')

/** Returns the sources of an untrusted tag as text, which stands beside the tag; `undefined` for a trusted tag. */
export const tagNote = (tag: SystemTag): string | undefined => (mayGiveAccess(tag) ? undefined : sourcesText(tag))

/** Returns a sentence about a tag for its tooltip: its text, its sources, and for an untrusted tag that it gives no access. */
export const aboutTag = (tag: SystemTag): string =>
  (mayGiveAccess(tag) ? words.tag_about : words.tag_about_untrusted)({ tag: tag.text, sources: sourcesText(tag) })
