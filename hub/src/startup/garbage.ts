import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8'

const LOOK_EVERY_MS = 250

/** From so many systems on, a minute brings more that outlives a collection than a small young generation has room for. */
const LARGE_FLEET = 3000

const MEBIBYTE = 2 ** 20
/** Of each of the two halves of the young generation. */
const SMALL_BYTES = 4 * MEBIBYTE
const LARGE_BYTES = 16 * MEBIBYTE

/** A half that is found larger has holes; one that is twice as large was doubled once too often. */
const TOO_LARGE = 1.5

/** Garbage that waits is memory, which a small fleet that nobody asks about is not to take. */
const mostBytes = (isRoomy: boolean): number => (isRoomy ? LARGE_BYTES : SMALL_BYTES)

/** Whether halves of so many bytes may be doubled. */
export const mayDouble = (halfBytes: number, isRoomy: boolean): boolean => 2 * halfBytes <= mostBytes(isRoomy)

/** What a fleet alone leaves grows by so much before everything is collected. */
const GROWTH_PERCENT = 40
/**
 * While people ask much it grows by so much instead, where that is more: answers make a small heap grow by 40 % three times a second, and
 * each collection holds up whoever waits for 20 ms and more.
 */
const ROOM_BYTES = 40 * MEBIBYTE

/** Between two looks: 40 a second. A page that opens may ask as much, for a moment. */
const MUCH_ASKED = 10
/** So many looks without that, 10 s, and it is over. */
const CALM_LOOKS = 40

/** What is asked of the process, as numbers of now. */
export type Busyness = {
  /** Systems that are watched. */
  readonly systems: () => number
  /** HTTP requests since the start. */
  readonly requests: () => number
}

/**
 * Has V8 collect as suits the fleet and those who ask: what is long-lived when it has grown by some share, not by as much again, and what
 * is young in as small a space as serves. Settings of the whole process, made once it has started: given on the command line they would
 * make V8 refuse what Node's own modules are compiled to. Returns the undo of the looking.
 */
export function collectFor({ systems, requests }: Busyness): () => void {
  const lookAtYoung = youngGeneration()
  const isAskedMuch = askedMuch(requests)
  const lasting = leastLately()
  let percent: number | undefined
  function look(): void {
    const asked = isAskedMuch()
    lookAtYoung(asked || systems() >= LARGE_FLEET)
    const lastingBytes = lasting(getHeapStatistics().used_heap_size)
    const wanted = asked ? roomyPercent(lastingBytes) : GROWTH_PERCENT
    // V8 goes by it at the end of the next collection of everything.
    if (wanted !== percent) setFlagsFromString(`--heap-growing-percent=${wanted}`)
    percent = wanted
  }
  look()
  const timer = setInterval(look, LOOK_EVERY_MS).unref()
  return () => clearInterval(timer)
}

/** By how many hundredths a heap in which so many bytes last may grow while people ask much. */
export const roomyPercent = (lastingBytes: number): number => Math.max(GROWTH_PERCENT, Math.round((100 * ROOM_BYTES) / lastingBytes))

/** In 10 s a fifth. */
const FORGOTTEN_A_LOOK = 0.005

/** Each call is a look at how much of a heap is used: the least of late, which is what lasts, as the rest is garbage that waits. */
export function leastLately(): (usedBytes: number) => number {
  let least = Number.POSITIVE_INFINITY
  return (usedBytes) => (least = Math.min(usedBytes, least * (1 + FORGOTTEN_A_LOOK)))
}

/** Each call is a look: whether much was asked since the last one, or not long ago. */
export function askedMuch(requests: () => number): () => boolean {
  let last = requests()
  let calm = CALM_LOOKS
  return () => {
    const now = requests()
    calm = now - last >= MUCH_ASKED ? 0 : calm + 1
    last = now
    return calm < CALM_LOOKS
  }
}

/**
 * Each call looks at the young generation as it is, and lets it double at the next collection that finds it full, or not. Several in one turn,
 * as when a fleet is read, leave it larger than that; and it stays as large as it was while much was asked. Then the next collection of
 * everything gives back what is free. Only that one: it also throws away compiled code, which costs a fleet's polls a quarter more.
 */
export function youngGeneration(): (isRoomy: boolean) => void {
  let grows: boolean | undefined
  let givesBack = false
  return (isRoomy) => {
    const half = halfBytes()
    const mayGrow = mayDouble(half, isRoomy)
    if (mayGrow !== grows) setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`)
    grows = mayGrow
    const isTooLarge = half >= mostBytes(isRoomy) * TOO_LARGE
    if (isTooLarge !== givesBack) setFlagsFromString(isTooLarge ? '--optimize-for-size' : '--no-optimize-for-size')
    givesBack = isTooLarge
  }
}

/** What half of the young generation may hold, or more while collections leave holes in it. V8's `space_size` is what it has taken so far. */
function halfBytes(): number {
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
  return young === undefined ? 0 : young.space_used_size + young.space_available_size
}
