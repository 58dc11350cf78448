/**
 * Regular expression that matches terminal escape sequences (ECMA-48): control sequences, commands such as titles and links, and escapes of
 * two or three characters.
 */
const ESCAPES =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|\u001B[\]PX^_][^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C)|\u001B[ -/]+[0-~]|\u001B[0-~]/g

// Matches control characters other than tab and line breaks.
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g

/**
 * Cleans a container's log for display: removes colours, titles and other terminal commands and control characters, and returns its last
 * `maxLines` lines.
 */
export function logText(text: string, maxLines: number): string {
  return lastLines(text.replaceAll(ESCAPES, '').replaceAll(CONTROLS, ''), maxLines)
}

function lastLines(text: string, count: number): string {
  let from = text.endsWith('\n') ? text.length - 1 : text.length
  for (let line = 0; line < count; line++) {
    if (from <= 0) return text
    from = text.lastIndexOf('\n', from - 1)
    if (from === -1) return text
  }
  return text.slice(from + 1)
}
