import type { Sample } from '@vedette/protocol/metrics/sample'
import { machineSample } from './scripted-agent.ts'

export const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'] as const
const byName = <T>(make: (place: number) => T) => Object.fromEntries(names.map((name, place) => [name, make(place)]))
const traffic = { sentBytesPerSecond: 5e6, receivedBytesPerSecond: 5e6, sentBytesTotal: 1, receivedBytesTotal: 1 }

/** A machine on which everything that has a name has one that all objects inherit. */
export const oddlyNamed: Sample = {
  ...machineSample,
  temperatures: byName((place) => 40 + place),
  fans: byName((place) => 900 + place),
  batteries: byName((place) => 50 + place),
  extraDisks: byName((place) => ({ totalBytes: 1024 ** 3, usedBytes: 0.9 * 1024 ** 3, usedPercent: 90 + place })),
  network: { sentBytesPerSecond: 1000, receivedBytesPerSecond: 3000, interfaces: byName(() => traffic) },
  gpus: byName((place) => ({ name: `gpu ${place}`, usagePercent: 30, enginePercent: byName((engine) => 10 + engine) })),
  containers: names.map((name, place) => ({
    name,
    id: `c0ffee00000${place}`,
    cpuPercent: 60 + place,
    memoryBytes: 2 ** 20,
    health: 'none',
    status: 'Up 2 hours',
    image: name,
    ports: '',
  })),
  services: names.map((name) => ({ name, state: 'failed', subState: 'failed' })),
}
