import type { StoredKind } from '@vedette/protocol/metrics/series'
import type { UnitOfWork } from '../db/database.ts'
import { encodeBlock } from './block-codec.ts'
import { loadBlocks, partOf, putBlock, type Form, type StoredBlock } from './block-table.ts'
import { readBlock, type Blocks } from './read-block.ts'
import { rolledUp } from './roll-up.ts'
import { emptyStretch, gathered, joined, within, type Stretch } from './stretch.ts'
import { bucketMs, bucketStart, DAY_MS, HOUR_MS, monthStart } from './tier.ts'

const TEN_MS = bucketMs['10m']
const TWO_HOURS_MS = bucketMs['2h']

/** Blocks of one system and kind around one hour, as they are before a change. */
type Around = {
  readonly stretch: (form: Form, start: number) => Stretch
  readonly put: (form: Form, start: number, stretch: Stretch) => Promise<void>
}

/**
 * Puts samples of one hour into its block, beside what is there, and computes the buckets they fall into from all there is.
 * The first time this seals the hour; later it takes in what came late. Doing it again changes nothing.
 */
export async function writeHour(
  unit: UnitOfWork,
  access: Blocks,
  { system, kind, hour, samples }: { readonly system: number; readonly kind: StoredKind; readonly hour: number; readonly samples: Stretch },
): Promise<void> {
  if (samples.times.length === 0) return
  const day = bucketStart(hour, DAY_MS)
  const month = monthStart(hour)
  const pair = bucketStart(hour, TWO_HOURS_MS)
  const around = await loadAround(unit, access, { system, kind }, { hour, day, month, pair })
  const known = joined([within(around.stretch('minutes of a day', day), hour, hour + HOUR_MS), around.stretch('minutes of an hour', hour)])
  const minutes = joined([around.stretch('minutes of an hour', hour), samples])
  const inHour = (stretch: Stretch): Stretch => within(stretch, hour, hour + HOUR_MS)
  const tensBefore = joined([
    around.stretch('tens of a day', day),
    around.stretch('tens of an hour', pair),
    around.stretch('tens of an hour', pair + HOUR_MS),
  ])
  const made = rolledUp(joined([known, samples]), TEN_MS)
  // Minutes are dropped before their buckets: what is left of those is all there is to add to.
  const tens = known.times.length > 0 ? made : rolledUp(gathered([inHour(tensBefore), made]), TEN_MS)
  await around.put('minutes of an hour', hour, minutes)
  await around.put('tens of an hour', hour, tens)
  const hours = joined([around.stretch('hours of a month', month), around.stretch('hours of a day', day)])
  if (within(hours, day, day + DAY_MS).times.length === 0) return
  const remade = rolledUp(within(joined([tensBefore, tens]), pair, pair + TWO_HOURS_MS), TWO_HOURS_MS)
  await around.put('hours of a day', day, joined([around.stretch('hours of a day', day), remade]))
}

type Starts = { readonly hour: number; readonly day: number; readonly month: number; readonly pair: number }

async function loadAround(
  unit: UnitOfWork,
  access: Blocks,
  { system, kind }: { readonly system: number; readonly kind: StoredKind },
  { hour, day, month, pair }: Starts,
): Promise<Around> {
  const span = (form: Form, fromMs: number, lengthMs = 1) => ({ part: partOf(form, kind), fromMs, toMs: fromMs + lengthMs })
  const blocks = await loadBlocks(
    unit.sql,
    [system],
    [
      span('minutes of an hour', hour),
      span('minutes of a day', day),
      span('tens of an hour', pair, TWO_HOURS_MS),
      span('tens of a day', day),
      span('hours of a day', day),
      span('hours of a month', month),
    ],
  )
  const found = (form: Form, start: number): StoredBlock | undefined =>
    blocks.find((block) => block.part === partOf(form, kind) && block.start === start)
  return {
    stretch(form, start) {
      const block = found(form, start)
      // A damaged block cannot be added to: what comes now takes its place.
      return (block && readBlock(access, block)) ?? emptyStretch
    },
    put: (form, start, stretch) =>
      putBlock(
        unit,
        { system, part: partOf(form, kind), start, data: encodeBlock(stretch, access.numbers) },
        found(form, start)?.data.length,
      ),
  }
}
