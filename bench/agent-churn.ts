import { readConfig } from '../agent/src/config/config.ts'
import { createLoop } from '../agent/src/runtime/deadline.ts'
import { recordedFiles } from '../agent/src/fixtures/recorded-machine.ts'
import { encodedBytes } from '../agent/src/link/requests.ts'
import { logTo } from '../agent/src/runtime/log.ts'
import { memoryRuntime } from '../agent/src/runtime/memory-runtime.ts'
import { byteTools } from '../agent/src/runtime/node/byte-tools.ts'
import type { HttpEvent, HttpRequest } from '../agent/src/runtime/runtime.ts'
import { POLL_CACHE_TIME_MS } from '../agent/src/collect/sampling/sampler.ts'
import { createSources } from '../agent/src/link/sources.ts'
import { encodeDocument } from '@vedette/protocol/wire/document-encode'

// This program measures the memory growth of an agent whose ten containers and network interface are replaced after every fifth sample.
// Run it with --expose-gc; it prints the growth in bytes per sample.

/** Number of samples that this benchmark of the agent's memory growth takes: the first command line argument, 100,000 by default. */
const SAMPLES = Number(process.argv[2] ?? 100_000)
const CONTAINERS = 10
const SAMPLES_PER_LIFE = 5
const MINUTE_MS = 60_000
const MEASURED_EVERY = SAMPLES / 20

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4'
let sample = 0

const idOf = (index: number): string =>
  (Math.floor(sample / SAMPLES_PER_LIFE) * CONTAINERS + index).toString(16).padStart(12, '0').padEnd(64, '0')

const listed = (): readonly object[] =>
  Array.from({ length: CONTAINERS }, (_, index) => ({
    Id: idOf(index),
    Names: [`/job-${idOf(index).slice(0, 12)}`],
    Image: 'job:latest',
    State: 'running',
    Status: 'Up 5 minutes (healthy)',
    Labels: { 'com.docker.compose.project': `run-${idOf(index).slice(0, 12)}`, 'com.docker.compose.service': 'job' },
    Ports: [],
    HostConfig: { NetworkMode: 'bridge' },
  }))

const stats = (): object => ({
  read: '2026-01-01T00:00:00Z',
  cpu_stats: { cpu_usage: { total_usage: sample * 1e9 }, system_cpu_usage: sample * 1e11, online_cpus: 4 },
  memory_stats: { usage: 50_000_000, stats: { inactive_file: 1_000_000 } },
  networks: { eth0: { rx_bytes: sample * 1000, tx_bytes: sample * 500 } },
  blkio_stats: { io_service_bytes_recursive: [{ op: 'read', value: sample * 10 }] },
})

function answer({ path }: HttpRequest): HttpEvent {
  const value =
    path === '/containers/json' ? listed() : path.includes('/stats') ? stats() : path === '/version' ? { Version: '28.0.0' } : {}
  return { kind: 'answer', status: 200, headers: [['server', 'Docker/28.0.0']], body: byteTools.utf8(JSON.stringify(value)) }
}

const machine = { ...recordedFiles('machine-2', 't0') }
const netDev = machine['/proc/net/dev'] ?? ''
const memory = memoryRuntime({
  files: machine,
  env: { KEY, DOCKER_HOST: 'tcp://127.0.0.1:2375', LOG_LEVEL: 'error' },
  answer,
  bytes: byteTools,
})
const config = readConfig(memory.runtime)
if (config.kind !== 'run') throw new Error(`Cannot configure the agent: ${JSON.stringify(config)}`)
const loop = createLoop(memory.runtime)
const { sampler } = createSources({ runtime: memory.runtime, loop, log: logTo(memory.runtime, 'error') }, config.config.collect, {
  holds: [],
  lacks: [],
})

const points: { readonly sample: number; readonly bytes: number }[] = []
let documentBytes = 0
for (sample = 1; sample <= SAMPLES; sample++) {
  memory.advance(MINUTE_MS)
  const life = Math.floor(sample / SAMPLES_PER_LIFE)
  const row = `  job${life}: ${sample * 1000} 1 0 0 0 0 0 0 ${sample * 500} 1 0 0 0 0 0 0\n`
  memory.replaceFiles({ ...machine, '/proc/net/dev': netDev + row })
  const taken = await sampler.take({ cacheTimeMs: POLL_CACHE_TIME_MS, includeFacts: true, link: 'websocket' })
  documentBytes = encodedBytes(encodeDocument(taken), byteTools).length
  if (taken.containers?.length !== CONTAINERS) throw new Error(`Sample ${sample} has ${taken.containers?.length ?? 'no'} containers`)
  if (sample % MEASURED_EVERY === 0 && sample >= MEASURED_EVERY * 2) points.push({ sample, bytes: collectedBytes() })
}

console.log(JSON.stringify({ bytesPerSample: slope(points), documentBytes }))

function collectedBytes(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/**
 * Returns the slope of the least-squares line through the measured points: memory growth in bytes per sample. Each point is a sample's
 * number with the agent's memory in bytes.
 */
function slope(all: typeof points): number {
  const meanX = all.reduce((sum, { sample: x }) => sum + x, 0) / all.length
  const meanY = all.reduce((sum, { bytes: y }) => sum + y, 0) / all.length
  const covariance = all.reduce((sum, { sample: x, bytes: y }) => sum + (x - meanX) * (y - meanY), 0)
  return covariance / all.reduce((sum, { sample: x }) => sum + (x - meanX) ** 2, 0)
}
