import { mutate, type Dice } from '../../agent/fuzz/mutations.ts'
import type { CoveredCode } from './covered-code.ts'

export type Fuzzing = {
  /** Function under test. It takes arbitrary bytes; any exception, or a run of over 1 s, is a fault. */
  readonly target: (bytes: Uint8Array) => void
  readonly seeds: readonly Uint8Array[]
  /**
   * List of byte sequences that are meaningful to the fuzzed function, such as keywords of a format. The fuzzer inserts them into inputs.
   */
  readonly dictionary: readonly Uint8Array[]
  readonly code: CoveredCode
  readonly dice: Dice
  /** Called after each batch of inputs; when it returns true, the fuzzing ends. */
  readonly isOver: () => boolean
}

export type FuzzOutcome = {
  readonly runs: number
  /** List of the inputs, seeds included, that each reached code that no earlier input had reached. */
  readonly corpus: readonly Uint8Array[]
  /** First input for which the function under test threw or took too long, with the error; `undefined` when there was none. */
  readonly fault: { readonly input: Uint8Array; readonly error: unknown } | undefined
}

/** Number of inputs that the fuzzer runs before it queries which code was reached: 512. A query takes as long as 100 runs. */
const BATCH = 512
const MOST_BYTES = 20_000
/** Maximum duration in ms, 1,000, of one run of the fuzzed function (`target`). A longer run counts as a failure and ends the fuzzing. */
const MOST_MS = 1000

/**
 * Fuzzes the function `target` with mutations of inputs that reached new code. It ends when `target` throws or takes over 1 s, or `isOver`
 * returns true. Returns the number of runs, the corpus (those inputs) and the fault. `dice` gives the random numbers.
 */
export function fuzz({ target, seeds, dictionary, code, dice, isOver }: Fuzzing): FuzzOutcome {
  const corpus: Uint8Array[] = []
  let runs = 0
  let fault: FuzzOutcome['fault']

  function run(input: Uint8Array): void {
    runs++
    const startedAtMs = performance.now()
    try {
      target(input)
      const tookMs = performance.now() - startedAtMs
      if (tookMs > MOST_MS) throw new Error(`it took ${Math.round(tookMs)} ms`)
    } catch (error) {
      fault ??= { input, error }
    }
  }

  /**
   * Adds to the corpus (list of interesting inputs) those of the inputs that reach new code. They are found by bisection: the inputs run
   * together, and if they reach new code, each half runs, down to single inputs.
   */
  function keepNew(inputs: readonly Uint8Array[]): void {
    for (const input of inputs) run(input)
    const [only] = inputs
    if (!code.isNew(inputs.length === 1) || only === undefined) return
    const half = Math.ceil(inputs.length / 2)
    if (inputs.length === 1) corpus.push(only)
    else for (const part of [inputs.slice(0, half), inputs.slice(half)]) keepNew(part)
  }

  const any = <T>(list: readonly T[]): T | undefined => list[dice(list.length)]

  function changed(): Uint8Array {
    const input = any(corpus) ?? new Uint8Array()
    switch (dice(5)) {
      case 0: {
        const other = any(corpus) ?? input
        return joined(input.subarray(0, dice(input.length + 1)), other.subarray(dice(other.length + 1)))
      }
      case 1: {
        const at = dice(input.length + 1)
        return joined(input.subarray(0, at), any(dictionary) ?? new Uint8Array(), input.subarray(at + dice(3)))
      }
      default:
        return mutate(input, dice)
    }
  }

  code.isNew(true)
  for (const seed of [new Uint8Array(), ...seeds]) keepNew([seed])
  while (fault === undefined && !isOver()) keepNew(Array.from({ length: BATCH }, () => changed().subarray(0, MOST_BYTES)))
  return { runs, corpus, fault }
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
