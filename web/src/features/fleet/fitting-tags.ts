/** Width of the tags column in the table of systems, 23, in average characters of the tags' font. */
const COLUMN_CHARACTERS = 23
/** Width, 4, of a tag in the table of systems without its text (border, padding, gap), in average characters of its font. */
const FRAME_CHARACTERS = 4
/** Width, 3, of the text with the number of tags that do not fit (such as `+2`), in average characters of the font. */
const NUMBER_CHARACTERS = 3

/**
 * Returns how many of a system's tags (`texts`) fit into the tags column of the table of systems, at least 1 if there is one. It is
 * estimated from the lengths of the texts, because measuring would move the rows.
 */
export function fittingTags(texts: readonly string[]): number {
  let used = 0
  for (const [index, text] of texts.entries()) {
    used += Array.from(text).length + FRAME_CHARACTERS
    const isLast = index === texts.length - 1
    if (index > 0 && used + (isLast ? 0 : NUMBER_CHARACTERS) > COLUMN_CHARACTERS) return index
  }
  return texts.length
}
