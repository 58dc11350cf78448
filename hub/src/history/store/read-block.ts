import { decodeBlock, type IsWanted } from '../codec/block-codec.ts'
import { formOfPart, type Place, type StoredBlock } from './block-table.ts'
import { DamagedBytesError } from '../codec/byte-reader.ts'
import type { SeriesNumbers } from '../model/numbered-series.ts'
import type { Stretch } from '../model/stretch.ts'

/** How stored blocks are read and written: what the numbers of series mean, and who is told of damage. */
export type Blocks = {
  readonly numbers: SeriesNumbers
  readonly damaged: (what: string, reason: string) => void
  /** All unless it is said; see `block-codec.ts`. */
  readonly isWanted?: IsWanted | undefined
}

/** What a block holds; undefined, and told, when it is damaged. */
export function readBlock({ numbers, damaged, isWanted }: Blocks, block: StoredBlock): Stretch | undefined {
  try {
    return decodeBlock(block.data, numbers, isWanted)
  } catch (error) {
    if (!(error instanceof DamagedBytesError)) throw error
    damaged(describePlace(block), error.message)
    return undefined
  }
}

/** For people: `minutes of an hour from 2026-01-10T12:00:00.000Z (containers)`. */
export function describePlace({ part, start }: Place): string {
  const of = formOfPart(part)
  return `${of === undefined ? `part ${part}` : of.form} from ${new Date(start).toISOString()} (${of?.kind ?? 'unknown'})`
}

export const describeSample = (atMs: number): string => `the sample of ${new Date(atMs).toISOString()}`
