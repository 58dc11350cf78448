import type { Json } from '@vedette/protocol/wire/stats-json'
import { z } from 'zod'
import type { RecordEvent } from '../../platform/events/event-bus.ts'
import { SampleEvent } from './stats-records.ts'

/**
 * Maximum number of measured things (such as `cpu` or a disk) in a message that passes a sample to another hub: 20,000. Messages with more
 * are ignored. The largest sample, of a machine with 1,000 containers, has fewer.
 */
const MOST_THINGS = 20_000

/**
 * Schema of a message that passes a new sample from one hub to another. Each entry of `things` is the name of a measured thing followed by
 * its fields and values: `["cpu", "busyPercent", 12.5, "userPercent", 3]`.
 */
const messageSchema = z.object({
  kind: z.enum(['system', 'containers']),
  system: z.string().min(1).max(100),
  atMs: z.int(),
  // The members are checked in a loop below, which is five times as fast.
  things: z.array(z.array(z.unknown())).max(MOST_THINGS),
})

/**
 * Converts the event of a new sample to the JSON of a message that hubs send to each other. Values that are NaN or infinite are left out.
 */
export function sampleMessage({ collection, sample }: { readonly collection: string; readonly sample: Sample }): Json {
  const things: (string | number)[][] = []
  const { fields, values } = sample.points
  for (const [at, thing] of sample.points.things.entries()) {
    const [field, value] = [fields[at], values[at]]
    // JSON has no NaN and no infinity.
    if (field === undefined || !Number.isFinite(value) || value === undefined) continue
    let last = things.at(-1)
    if (last?.[0] !== thing) things.push((last = [thing]))
    last.push(field, value)
  }
  return { kind: collection === 'container_stats' ? 'containers' : 'system', system: sample.system, atMs: sample.atMs, things }
}

/**
 * Converts a message with a sample, which the hub with id `hub` has sent, to the event that this sample caused there. `undefined` when the
 * message is not a valid sample.
 */
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
