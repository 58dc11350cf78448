import assert from 'node:assert/strict'
import { isNativeBuilt } from '../../tools/native-agent.ts'
import type { SoakedAgent } from './soaked-agent.ts'

/** `npm run soak` asks for the whole of each part, `npm run test:long` for enough to see one of a hundred bytes a sample. */
export const isWhole = process.env['VEDETTE_SOAK'] !== undefined

export const skip = isNativeBuilt() ? false : 'the native agent is not built'

/** From here on memory may grow by a tenth. */
export const WARM = 1_000
const MOST_GROWTH = 1.1

/** Watches one agent's memory; says it at the end, and that it has not grown. */
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
