import { ownValue } from '@vedette/protocol/own-value'
/** U+2060: joins words, shows nothing, and keeps what it stands in from being read as a name. */
const WORD_JOINER = '\u2060'

/** Every ASCII sign escaped, as Markdown has it (CommonMark 2.4): nothing in the text has a meaning any more. */
export const escapeMarkdown = (text: string): string => text.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`)

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** For HTML. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ownValue(entities, sign) ?? sign)

/** The three signs that Slack gives a meaning: with them go its links, its mentions and its commands. */
export const escapeSlack = (text: string): string => text.replaceAll(/[&<>]/g, (sign) => ownValue(entities, sign) ?? sign)

/** No `@name` in it calls anybody; it looks the same. */
export const withoutMentions = (text: string): string => text.replaceAll(WORD_JOINER, '').replaceAll('@', `@${WORD_JOINER}`)

/** No `<users/all>` in it calls anybody; it looks the same. */
export const withoutTags = (text: string): string => text.replaceAll(WORD_JOINER, '').replaceAll('<', `<${WORD_JOINER}`)
