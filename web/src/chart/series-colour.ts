/** Number of CSS colour tokens for chart lines: `--series-1` to `--series-8`. */
const COLOURS = 8

/** Returns the CSS colour token of a series name, by an FNV-1a hash over its UTF-16 units. A name has the same colour everywhere. */
export function seriesColour(name: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < name.length; index++) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193)
  return `--series-${((hash >>> 0) % COLOURS) + 1}`
}
