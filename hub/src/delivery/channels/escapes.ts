import { ownValue } from '@vedette/protocol/own-value'
/**
 * U+2060 (word joiner), an invisible character. Inserted after `@` or `<` in a message, it stops chat services from reading a text as a
 * mention.
 */
const WORD_JOINER = '\u2060'

/** Returns a text in which all ASCII punctuation is escaped (CommonMark 2.4), so that no Markdown takes effect. */
export const escapeMarkdown = (text: string): string => text.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`)

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Returns a text with `&`, `<`, `>` and quotes escaped for HTML content and attributes. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ownValue(entities, sign) ?? sign)

/** Returns a text with `&`, `<` and `>` escaped for Slack's markup, so that it contains no links, mentions or commands. */
export const escapeSlack = (text: string): string => text.replaceAll(/[&<>]/g, (sign) => ownValue(entities, sign) ?? sign)

/** Returns a text without active `@name` mentions: an invisible character is inserted after each `@`. */
export const withoutMentions = (text: string): string => text.replaceAll(WORD_JOINER, '').replaceAll('@', `@${WORD_JOINER}`)

/** Returns a text without active `<users/all>` mentions of Google Chat: an invisible character is inserted after each `<`. */
export const withoutTags = (text: string): string => text.replaceAll(WORD_JOINER, '').replaceAll('<', `<${WORD_JOINER}`)

/**
 * Returns a text as a fenced code block, in which Zulip and Rocket.Chat format nothing and find no mentions. An invisible character follows
 * each backtick, so that the text cannot close the block.
 */
export const codeBlock = (text: string): string =>
  `\`\`\`text\n${withoutMentions(text.replaceAll(/\r\n?/g, '\n')).replaceAll('`', `\`${WORD_JOINER}`)}\n\`\`\``
