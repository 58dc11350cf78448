/** The colour tokens `--series-1` to `--series-8`. */
const COLOURS = 8

/** The colour token of a name (FNV-1a over its UTF-16 units): the same one at all times, on every page and beside any other names. */
export function seriesColour(name: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < name.length; index++) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193)
  return `--series-${((hash >>> 0) % COLOURS) + 1}`
}
