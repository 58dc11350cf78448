import { ANNOUNCED_VERSION } from '@vedette/protocol/wire/version'
import { collectors, type CollectOptions } from './collect/collectors.ts'
import type { ContainerDetails } from './collect/docker/container-details.ts'
import { runner } from './collect/run-all.ts'
import type { Loop } from './deadline.ts'
import type { Sources } from './link/requests.ts'
import type { Log } from './log.ts'
import type { Runtime } from './runtime.ts'
import { createSampler } from './sampler.ts'

/** Everything that can be asked of this machine. */
export function createSources(runtime: Runtime, loop: Loop, log: Log, options: CollectOptions): Sources {
  const { run, findings } = runner(collectors(runtime, loop, options), loop, log, runtime.clock)
  const notRead = (what: string) => () => Promise.reject(new Error(`this agent does not read ${what}`))
  let loading: Promise<ContainerDetails> | undefined
  const details = (): Promise<ContainerDetails> =>
    (loading ??= import('./collect/docker/container-details.ts').then(({ containerDetails }) =>
      containerDetails({ runtime, loop }, options.engine),
    ))
  return {
    sampler: createSampler(run, loop, runtime.clock),
    containerLogs: async (containerId) => (await details()).logs(containerId),
    containerInspect: async (containerId) => (await details()).inspect(containerId),
    diskHealth: notRead('disk health'),
    serviceDetails: () => Promise.reject(new Error('unsupported operation')),
    diagnosis: () => ({ agentVersion: ANNOUNCED_VERSION, takenAtMs: runtime.clock().wallMs, collectors: findings() }),
  }
}
