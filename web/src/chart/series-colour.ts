/** Number of the CSS custom properties with line colours, `--series-1` to `--series-8`: 8. */
const COLOURS = 8

/**
 * Returns the name of a CSS colour property, `--series-1` to `--series-8`, for a series name. It depends on a hash (FNV-1a) of the name, so
 * a name has the same colour everywhere.
 */
export function seriesColour(name: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < name.length; index++) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193)
  return `--series-${((hash >>> 0) % COLOURS) + 1}`
}
