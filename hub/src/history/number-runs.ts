import { DamagedBytesError, type ByteReader } from './byte-reader.ts'
import type { ByteWriter } from './byte-writer.ts'

/** Writes whole numbers, ascending, as runs: those that follow one another cost nothing. */
export function writeNumberRuns(writer: ByteWriter, ascending: readonly number[]): void {
  const runs: { first: number; last: number }[] = []
  for (const number of ascending) {
    const run = runs.at(-1)
    if (run !== undefined && run.last + 1 === number) run.last = number
    else runs.push({ first: number, last: number })
  }
  writer.integer(runs.length)
  let next = 0
  for (const { first, last } of runs) {
    writer.integer(first - next)
    writer.integer(last - first)
    next = last + 1
  }
}

/** Reads them; more than `most` are damage. */
export function readNumberRuns(reader: ByteReader, most: number): readonly number[] {
  const numbers: number[] = []
  const runs = reader.count(2)
  let next = 0
  for (let run = 0; run < runs; run++) {
    const first = next + reader.integer()
    const length = reader.integer() + 1
    if (numbers.length + length > most) throw new DamagedBytesError(`it says more than ${most} series`)
    for (let number = first; number < first + length; number++) numbers.push(number)
    next = first + length
  }
  return numbers
}
