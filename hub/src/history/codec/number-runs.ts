import { DamagedBytesError, type ByteReader } from './byte-reader.ts'
import type { ByteWriter } from './byte-writer.ts'

/** Writes whole numbers, ascending, as runs: those that follow one another cost nothing. */
export function writeNumberRuns(writer: ByteWriter, ascending: readonly number[]): void {
  let runs = 0
  for (let at = 0; at < ascending.length; at = endOfRun(ascending, at)) runs += 1
  writer.integer(runs)
  let next = 0
  for (let at = 0; at < ascending.length;) {
    const end = endOfRun(ascending, at)
    const first = ascending[at] ?? 0
    writer.integer(first - next)
    writer.integer(end - at - 1)
    next = first + (end - at)
    at = end
  }
}

/** The place after the run that begins at `at`. */
function endOfRun(ascending: readonly number[], at: number): number {
  const first = ascending[at] ?? 0
  let end = at + 1
  while (end < ascending.length && ascending[end] === first + (end - at)) end += 1
  return end
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
