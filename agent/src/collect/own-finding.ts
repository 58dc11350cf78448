import type { Finding } from '@vedette/protocol/metrics/diagnosis'
import type { Confinement, Runtime } from '../runtime/runtime.ts'

/**
 * Returns one diagnostics entry about the agent itself: runtime (Node or native), sandbox restrictions in force and missing, and how often
 * a resource limit was exceeded.
 */
export function ownFinding(runtime: Pick<Runtime, 'info' | 'limitsReached'>, { holds, lacks }: Confinement): Finding {
  const { turnsEnded, memoryRefused } = runtime.limitsReached()
  const reached = [
    ...(turnsEnded === 0 ? [] : [`${turnsEnded} times it worked on one thing for too long and gave it up`]),
    ...(memoryRefused === 0 ? [] : [`${memoryRefused} times it wanted more memory than it may have and gave up`]),
  ]
  const about = { name: 'agent', found: [`on ${runtime.info().runtimeVersion}`, ...holds].join(', '), skipped: lacks }
  return reached.length === 0 ? { ...about, state: 'works' } : { ...about, state: 'failing', error: reached.join('; ') }
}
