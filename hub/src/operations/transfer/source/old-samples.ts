import type { OpenForeignHub } from './open-foreign-hub.ts'

/** Age of the newest sample, in ms before the last change of the files, from which newer data is probably missing. */
const OLD_SAMPLE_MS = 300_000

/** Returns the time in ms by which the newest sample is older than the files, when newer samples are probably missing; else `undefined`. */
export function missingSamplesMs({ newestSampleMs, changedMs }: Pick<OpenForeignHub, 'newestSampleMs' | 'changedMs'>): number | undefined {
  const lateMs = newestSampleMs === undefined ? 0 : changedMs - newestSampleMs
  return lateMs > OLD_SAMPLE_MS ? lateMs : undefined
}
