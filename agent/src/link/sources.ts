import { ANNOUNCED_VERSION } from '@vedette/protocol/wire/version'
import { collectors, type CollectOptions } from '../collect/collectors.ts'
import { runner } from '../collect/run-all.ts'
import type { Loop } from '../runtime/deadline.ts'
import type { Sources } from './requests.ts'
import type { Log } from '../runtime/log.ts'
import { createOnDemand } from '../collect/on-demand.ts'
import { ownFinding } from '../collect/own-finding.ts'
import type { Confinement, Runtime } from '../runtime/runtime.ts'
import { createSampler } from '../collect/sampling/sampler.ts'

export type SourceParts = { readonly runtime: Runtime; readonly loop: Loop; readonly log: Log }

export type MachineSources = Omit<Sources, 'forgetProof'>

/**
 * Creates the functions that read this machine for replies to hubs: samples, container logs and inspections, disk health, service
 * properties, diagnostics. `confinement` is the result of the sandbox, for the diagnostics.
 */
export function createSources({ runtime, loop, log }: SourceParts, options: CollectOptions, confinement: Confinement): MachineSources {
  const { run, findings } = runner(collectors(runtime, loop, options), loop, log, runtime.clock)
  const onDemand = createOnDemand(runtime, loop, options)
  return {
    ...onDemand,
    sampler: createSampler(run, loop, runtime.clock),
    diagnosis: () => ({
      agentVersion: ANNOUNCED_VERSION,
      takenAtMs: runtime.clock().wallMs,
      collectors: [...findings(), ...onDemand.findings(), ownFinding(runtime, confinement)],
    }),
  }
}
