/** Quotes a text as one word of a POSIX shell, for commands in messages. A text that needs no quotes is returned unchanged. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
