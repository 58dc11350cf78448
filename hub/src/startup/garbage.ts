import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

const LOOK_EVERY_MS = 250

/** From so many systems on, a minute brings more that outlives a collection than a small young generation has room for. */
const LARGE_FLEET = 3000

const MEBIBYTE = 2 ** 20
/** Of each of its two halves. */
const SMALL_BYTES = 4 * MEBIBYTE
const LARGE_BYTES = 16 * MEBIBYTE

/** Whether halves of so many bytes may be doubled: garbage that waits is memory, and a small fleet is to take little. */
export const mayDouble = (halfBytes: number, systems: number): boolean =>
  2 * halfBytes <= (systems < LARGE_FLEET ? SMALL_BYTES : LARGE_BYTES)

/**
 * Has V8 collect as suits the fleet: what is long-lived when it has grown by 40 %, not by as much again, and what is young in as
 * small a space as serves. Settings of the whole process, made once it has started: given on the command line they would make V8
 * refuse what Node's own modules are compiled to. Returns the undo of the looking.
 */
export function collectFor(systems: () => number): () => void {
  setFlagsFromString('--heap-growing-percent=40')
  const look = youngGenerationFor(systems)
  look()
  const timer = setInterval(look, LOOK_EVERY_MS).unref()
  return () => clearInterval(timer)
}

/** Each call looks at the young generation as it is, and lets it double at the next collection that finds it full, or not. */
export function youngGenerationFor(systems: () => number): () => void {
  let grows: boolean | undefined
  return () => {
    const mayGrow = mayDouble(halfBytes(), systems())
    if (mayGrow !== grows) setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`)
    grows = mayGrow
  }
}

/** What half of the young generation may hold, or more while collections leave holes in it. V8's `space_size` is what it has taken so far. */
function halfBytes(): number {
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
  return young === undefined ? 0 : young.space_used_size + young.space_available_size
}
