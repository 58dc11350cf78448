import type { CborMap } from '@vedette/protocol/cbor/value'
import type { Finding } from '@vedette/protocol/metrics/diagnosis'
import type { DiskHealthReport } from '@vedette/protocol/metrics/disk-health'
import { present } from '@vedette/protocol/wire/present'
import type { CollectOptions } from './collectors.ts'
import type { DiskHealthReader } from './disk-health/disk-health.ts'
import type { ContainerDetails } from './docker/container-details.ts'
import type { Loop } from '../runtime/deadline.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { procSource } from '../source/proc-source.ts'

/**
 * Functions that read data only when a hub requests them: container logs and inspections, disk health, service properties. The code of each
 * is loaded with its first request.
 */
export type OnDemand = {
  readonly containerLogs: (containerId: string, sinceSeconds: number | undefined) => Promise<string>
  readonly containerInspect: (containerId: string) => Promise<string>
  readonly diskHealth: () => Promise<DiskHealthReport>
  /** Resolves to a map from D-Bus name to value with the properties of a systemd unit. Rejects when they cannot be read. */
  readonly serviceDetails: (serviceName: string) => Promise<CborMap>
  /** Returns a list of diagnostics entries about the data that hubs have requested so far, such as disk health. Reads nothing. */
  readonly findings: () => readonly Finding[]
}

export function createOnDemand(runtime: Runtime, loop: Loop, options: CollectOptions): OnDemand {
  const nowMs = (): number => runtime.clock().monotonicMs
  let details: Promise<ContainerDetails> | undefined
  let reader: Promise<DiskHealthReader> | undefined
  let drives: { readonly count: number; readonly costMs: number; readonly atMs: number; readonly from: DiskHealthReader } | undefined

  const loadDetails = (): Promise<ContainerDetails> =>
    (details ??= import('./docker/container-details.ts').then(({ containerDetails }) =>
      containerDetails({ runtime, loop }, options.engine),
    ))

  const loadReader = (): Promise<DiskHealthReader> =>
    (reader ??= Promise.all([import('./disk-health/disk-health.ts'), import('../runtime/command.ts')]).then(
      ([{ createDiskHealth }, { createCommands }]) =>
        createDiskHealth(
          {
            source: procSource(runtime, options.roots),
            procRoot: options.roots.proc,
            commands: createCommands(runtime, loop),
            bytes: runtime.bytes,
            nowMs,
          },
          options.diskHealth,
        ),
    ))

  return {
    containerLogs: async (containerId, sinceSeconds) => (await loadDetails()).logs(containerId, sinceSeconds),
    containerInspect: async (containerId) => (await loadDetails()).inspect(containerId),
    diskHealth: async () => {
      const from = await loadReader()
      const startedAtMs = nowMs()
      const report = await from.read()
      drives = { count: report.devices.length, costMs: nowMs() - startedAtMs, atMs: nowMs(), from }
      return report
    },
    serviceDetails: async (serviceName) => {
      if (options.services.mode === 'off') throw new Error('unsupported operation')
      const { serviceDetails } = await import('./systemd/service-details.ts')
      return serviceDetails({ runtime, loop }, serviceName)
    },
    findings: () => {
      if (drives === undefined) return []
      const { found, skipped, remedy } = drives.from.report()
      const state = drives.count > 0 ? 'works' : 'absent'
      const ageMs = Math.round(nowMs() - drives.atMs)
      return [
        present<Finding>({ name: 'disk health', state, found, skipped: skipped ?? [], remedy, costMs: Math.round(drives.costMs), ageMs }),
      ]
    },
  }
}
