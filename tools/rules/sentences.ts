/** Sentence of a Markdown document: text, number of words, and the line number (from 1) at which its paragraph begins. */
export type Sentence = { readonly line: number; readonly text: string; readonly words: number }

/** Regular expression that matches the start of a list entry, heading or quotation, which begins a paragraph. */
const BEGINS = /^\s*(?:[-*+]|\d+\.|#+|>)\s+/
const TABLE_ROW = /^\s*\|/
const FENCE = /^\s*(?:```|~~~)/
/** Regular expression that matches the space after a sentence, but not after the dot in a name such as `vedette.sqlite`. */
const SENTENCE_END = /(?<=[.!?…]["’”)]?)\s+/
const WORD = /[\p{L}\p{N}][\p{L}\p{N}’'-]*/gu

/** Returns the sentences of a Markdown document outside tables and code blocks. Inline code counts as one word, a link as its text. */
export function sentencesOf(markdown: string): readonly Sentence[] {
  return paragraphsOf(markdown).flatMap(({ line, text }) =>
    plain(text)
      .split(SENTENCE_END)
      .map((sentence) => ({ line, text: sentence.trim(), words: sentence.match(WORD)?.length ?? 0 }))
      .filter(({ words }) => words > 0),
  )
}

type Paragraph = { readonly line: number; readonly text: string }

function paragraphsOf(markdown: string): readonly Paragraph[] {
  const paragraphs: { line: number; text: string }[] = []
  let isCode = false
  let isOpen = false
  for (const [index, line] of markdown.split('\n').entries()) {
    if (FENCE.test(line)) isCode = !isCode
    if (isCode || FENCE.test(line) || TABLE_ROW.test(line) || line.trim() === '') isOpen = false
    else {
      const last = paragraphs.at(-1)
      if (isOpen && last !== undefined && !BEGINS.test(line)) last.text += ` ${line.trim()}`
      else paragraphs.push({ line: index + 1, text: line.replace(BEGINS, '').trim() })
      // A heading ends with its line.
      isOpen = !/^\s*#/.test(line)
    }
  }
  return paragraphs
}

const plain = (text: string): string =>
  text
    .replaceAll(/`+[^`]*`+/g, 'code')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\*\*|__/g, '')
