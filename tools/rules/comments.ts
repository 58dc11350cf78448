/** One line of a comment, without its signs. `line` counts from 1. */
export type CommentLine = { readonly line: number; readonly text: string }

/** Returns a list with the text and number of each comment line in a TypeScript or Rust source: whole lines, and `//` after code. */
export function commentsIn(source: string): readonly CommentLine[] {
  return source.split('\n').flatMap((code, index) => {
    const text = /^\s*(?:\/\/[/!]?|\/\*\*?|\*)\s+(.*?)\s*(?:\*\/)?$/.exec(code)?.[1] ?? /\s\/\/ (.*)$/.exec(code)?.[1]
    return text === undefined || text === '' ? [] : [{ line: index + 1, text }]
  })
}
