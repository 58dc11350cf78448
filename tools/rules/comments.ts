/** One line of a comment in source code, without `//`, `*` and the like. `line` is its line number, from 1. */
export type CommentLine = { readonly line: number; readonly text: string }

/**
 * Returns all comment lines with text in a TypeScript or Rust source, with their line numbers: lines of comments, and `//` comments after
 * code.
 */
export function commentsIn(source: string): readonly CommentLine[] {
  return source.split('\n').flatMap((code, index) => {
    const text = /^\s*(?:\/\/[/!]?|\/\*\*?|\*)\s+(.*?)\s*(?:\*\/)?$/.exec(code)?.[1] ?? /\s\/\/ (.*)$/.exec(code)?.[1]
    return text === undefined || text === '' ? [] : [{ line: index + 1, text }]
  })
}
