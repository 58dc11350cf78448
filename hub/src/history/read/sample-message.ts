import type { Json } from '@vedette/protocol/wire/stats-json'
import { z } from 'zod'
import type { RecordEvent } from '../../platform/events/event-bus.ts'
import { SampleEvent } from './stats-records.ts'

/** More than the largest sample: every thing of a machine with 1,000 containers. */
const MOST_THINGS = 20_000

/** Each thing once, followed by its fields and their values: `["cpu", "busyPercent", 12.5, "userPercent", 3]`. */
const messageSchema = z.object({
  kind: z.enum(['system', 'containers']),
  system: z.string().min(1).max(100),
  atMs: z.int(),
  // Their members are checked one by one below, which is five times as quick.
  things: z.array(z.array(z.unknown())).max(MOST_THINGS),
})

/** A sample as a message to another hub. */
export function sampleMessage({ collection, sample }: { readonly collection: string; readonly sample: Sample }): Json {
  const things: (string | number)[][] = []
  const { fields, values } = sample.points
  for (const [at, thing] of sample.points.things.entries()) {
    const [field, value] = [fields[at], values[at]]
    // JSON knows no other numbers.
    if (field === undefined || !Number.isFinite(value) || value === undefined) continue
    let last = things.at(-1)
    if (last?.[0] !== thing) things.push((last = [thing]))
    last.push(field, value)
  }
  return { kind: collection === 'container_stats' ? 'containers' : 'system', system: sample.system, atMs: sample.atMs, things }
}

/** `undefined` when the message is no sample. */
export function readSampleMessage(message: unknown, hub: string): RecordEvent | undefined {
  const { success, data } = messageSchema.safeParse(message)
  if (!success) return undefined
  const points = { things: [] as string[], fields: [] as string[], values: [] as number[] }
  for (const [thing, ...pairs] of data.things) {
    for (let at = 0; at < pairs.length; at += 2) {
      const field = pairs[at]
      const value = pairs[at + 1]
      if (typeof thing !== 'string' || typeof field !== 'string' || typeof value !== 'number') return undefined
      points.things.push(thing)
      points.fields.push(field)
      points.values.push(value)
    }
  }
  return new SampleEvent(data.kind, { system: data.system, atMs: data.atMs, points }, hub)
}

type Sample = NonNullable<RecordEvent['sample']>
