/** Width of the column for tags, in average characters of their font. */
const COLUMN_CHARACTERS = 23
/** Width of a tag's border and padding and of the gap to the next one, in characters. */
const FRAME_CHARACTERS = 4
/** Width of the number of further tags, in characters. */
const NUMBER_CHARACTERS = 3

/**
 * Returns how many of the tags of a system fit into the column of the table, from the lengths of their texts: at least 1 if there is one,
 * which is then cut. An estimate needs no measuring, which would move the rows.
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
