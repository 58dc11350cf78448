import type { Diagnosis, Finding } from '@vedette/protocol/metrics/diagnosis'
import type { CollectOptions } from './collect/collectors.ts'
import type { PrintCommand } from './config/command-line.ts'
import { confine } from './config/confinement.ts'
import { createLoop } from './runtime/deadline.ts'
import { logTo } from './runtime/log.ts'
import { becomeOwnUser } from './config/own-user.ts'
import type { Runtime } from './runtime/runtime.ts'
import { POLL_CACHE_TIME_MS } from './collect/sampling/sampler.ts'
import { createSources } from './link/sources.ts'

/** Time in ms between the two readings from which `vedette-agent sample` and `doctor` compute rates: 1 s. */
const BETWEEN_READINGS_MS = 1000

export type PrintOptions = { readonly runAs: number | undefined; readonly collect: CollectOptions }

/**
 * Reads this machine for the subcommand and prints the sample as JSON (`sample`) or the diagnostics (`doctor`) to standard output. Resolves
 * when it is printed.
 */
export async function print(runtime: Runtime, command: PrintCommand, { runAs, collect }: PrintOptions): Promise<void> {
  becomeOwnUser(runtime, logTo(runtime, 'warn'), { user: runAs, engine: collect.engine, writable: [], dataFolder: undefined })
  const loop = createLoop(runtime)
  // Failures are part of the printed result, so they are not logged as warnings too.
  const sources = createSources({ runtime, loop, log: logTo(runtime, 'error') }, collect, confine(runtime, collect, []))
  await sources.sampler.seed()
  await new Promise<void>((resolve) => loop.after(BETWEEN_READINGS_MS, resolve))
  const sample = await sources.sampler.take({ cacheTimeMs: POLL_CACHE_TIME_MS, includeFacts: true, link: undefined })
  if (command === 'doctor') await sources.diskHealth()
  runtime.print(command === 'sample' ? `${JSON.stringify(sample, null, 2)}\n` : diagnosisText(sources.diagnosis()))
}

export const diagnosisText = ({ collectors }: Diagnosis): string => collectors.map(findingText).join('')

function findingText({ name, state, found, skipped, error, remedy, costMs, ageMs }: Finding): string {
  const cost = costMs === undefined ? '' : `  ${costMs} ms`
  const age = state === 'failing' && ageMs !== undefined ? `, last good ${Math.round(ageMs / 1000)} s ago` : ''
  const lines = [
    `${marks[state]} ${name.padEnd(14)} ${state === 'absent' ? 'nothing of the kind here' : (found ?? state)}${cost}${age}`,
    ...(error === undefined ? [] : [`    failed: ${error}`]),
    ...skipped.map(({ what, why }) => `    left out: ${what} (${why})`),
    ...(remedy === undefined ? [] : [`    to mend: ${remedy}`]),
  ]
  return `${lines.join('\n')}\n`
}

const marks: Readonly<Record<Finding['state'], string>> = { works: 'ok', absent: '--', failing: '!!' }
