import type { Sample } from '@vedette/protocol/metrics/sample'
import { machineSample } from '../hub/test/scripted-agent.ts'

const GIGABYTE = 1024 ** 3
const traffic = { sentBytesPerSecond: 5e6, receivedBytesPerSecond: 3e6, sentBytesTotal: 1e9, receivedBytesTotal: 2e9 }

/**
 * Sample of an agent with at least one of each item that the system page shows: sensor, disk, GPU, container, service. Its list of
 * containers is 2 min old.
 */
export const richMachine: Sample = {
  ...machineSample,
  swap: { totalBytes: 2 * GIGABYTE, usedBytes: GIGABYTE },
  temperatures: { package: 51, nvme: 38 },
  fans: { front: 900 },
  battery: { percent: 80, state: 'discharging' },
  batteries: { BAT0: 80 },
  extraDisks: { backup: { totalBytes: 100 * GIGABYTE, usedBytes: 90 * GIGABYTE, usedPercent: 90, inodesTotal: 1000, inodesUsed: 10 } },
  network: { sentBytesPerSecond: 5e6, receivedBytesPerSecond: 3e6, interfaces: { lan: traffic } },
  pressure: { cpu: { somePercent: 1 }, memory: { somePercent: 2, fullPercent: 1 }, io: { somePercent: 3, fullPercent: 2 } },
  gpus: {
    '0': {
      name: 'Example GPU',
      usagePercent: 30,
      memoryUsedMegabytes: 512,
      memoryTotalMegabytes: 1024,
      sharedMemoryUsedMegabytes: 2048,
      sharedMemoryTotalMegabytes: 4096,
      powerWatts: 40,
    },
  },
  containers: ['web', 'database'].map((name, index) => ({
    name,
    id: `c0ffee00000${index}`,
    cpuPercent: 1.5 + index,
    memoryBytes: 120 * 1024 ** 2,
    sentBytesPerSecond: 1024 ** 2,
    receivedBytesPerSecond: 2 * 1024 ** 2,
    health: 'healthy',
    status: 'Up 2 hours',
    image: name,
    ports: '80',
  })),
  services: [
    { name: 'nginx', state: 'active', subState: 'running', memoryBytes: 10 * 1024 ** 2, cpuPercent: 1 },
    { name: 'backup', state: 'failed', subState: 'failed' },
  ],
  serviceCounts: { total: 2, failed: 1 },
  ages: { containers: 120_000 },
}
