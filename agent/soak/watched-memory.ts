import assert from 'node:assert/strict'
import { isNativeBuilt } from '../../tools/native-agent.ts'
import type { SoakedAgent } from './soaked-agent.ts'

/**
 * True for a complete soak test (`npm run soak`); false for the short one of `npm run test:long`, which finds leaks of 100 bytes per sample
 * and more.
 */
export const isWhole = process.env['VEDETTE_SOAK'] !== undefined

export const skip = isNativeBuilt() ? false : 'the native agent is not built'

/**
 * Minimum number of repetitions (such as samples) in a soak test, 1,000, before the memory baseline is measured. After the baseline, the
 * agent's memory may grow by at most a tenth.
 */
export const WARM = 1_000
const MOST_GROWTH = 1.1

/**
 * Creates functions that watch the resident memory of one agent in a soak test. `warm` measures the baseline once; `finish` prints the
 * growth. It throws if that is above a tenth, or if the agent's process has ended.
 */
export function watchMemory(agent: SoakedAgent, what: string) {
  let warm: number | undefined
  return {
    warm: () => (warm ??= agent.residentMebibytes()),
    finish(times: number) {
      agent.assertAlive()
      const [start, end] = [warm ?? Number.NaN, agent.residentMebibytes()]
      const figures = `resident ${start.toFixed(2)} → ${end.toFixed(2)} MiB, private ${agent.privateMebibytes().toFixed(2)} MiB`
      console.log(`${times} ${what}: ${figures}`)
      assert.ok(end <= start * MOST_GROWTH, `${what}: ${figures}`)
    },
  }
}
