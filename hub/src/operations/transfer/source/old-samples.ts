import type { OpenForeignHub } from './open-foreign-hub.ts'

/**
 * Time in ms (5 min) between the newest sample and the last change of the other hub's files, from which newer samples are probably missing.
 */
const OLD_SAMPLE_MS = 300_000

/**
 * Returns the time in ms by which the newest sample of the hub to import is older than its database files, if it is over 5 min. Then the
 * files probably lack newer samples. Otherwise, and without samples, `undefined`.
 */
export function missingSamplesMs({ newestSampleMs, changedMs }: Pick<OpenForeignHub, 'newestSampleMs' | 'changedMs'>): number | undefined {
  const lateMs = newestSampleMs === undefined ? 0 : changedMs - newestSampleMs
  return lateMs > OLD_SAMPLE_MS ? lateMs : undefined
}
