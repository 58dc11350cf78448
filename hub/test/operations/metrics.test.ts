import assert from 'node:assert/strict'
import { test } from 'node:test'
import { containerPoints, systemPoints } from '@vedette/protocol/metrics/series'
import type { Sample } from '@vedette/protocol/metrics/sample'
import { saveHealth } from '../../src/operations/health/health-table.ts'
import { databases } from '../databases.ts'
import { newApiKey, signedIn } from '../issued-keys.ts'
import { parsedMetrics, withParser, type ParsedFamily } from '../openmetrics-parser.ts'
import { dataset, recordedHub, type RecordedHub } from '../recorded-hub.ts'
import { machineSample } from '../scripted-agent.ts'

const alice = dataset.aliases['alice'] ?? ''

const rich: Sample = {
  ...machineSample,
  cpu: {
    busyPercent: 12.5,
    coreBusyPercent: [10, 15],
    shares: { userPercent: 8, systemPercent: 4, iowaitPercent: 1, stealPercent: 0, idlePercent: 87 },
  },
  swap: { totalBytes: 1024, usedBytes: 0 },
  extraDisks: { 'weird "disk"\\\n': { totalBytes: 10, usedBytes: 5 } },
  network: {
    sentBytesPerSecond: 1000,
    receivedBytesPerSecond: 3000,
    interfaces: { eth0: { sentBytesPerSecond: 1000, receivedBytesPerSecond: 3000, sentBytesTotal: 123_456, receivedBytesTotal: 7 } },
  },
  temperatures: { coretemp: 51.5 },
  gpus: { '0': { name: 'GPU', usagePercent: 40, memoryUsedMegabytes: 2 } },
}

/** Adds a system that is up, with this sample. */
async function addSystem(hub: RecordedHub, name: string, sample: Sample, { users = [alice], atMs = Date.now() - 1000 } = {}) {
  const { database, store } = hub.engine
  return database.write(async (unit) => {
    const info = { u: 3600, v: '0.18.8', cpu: 12.5 }
    const { id } = await store.insert(unit, 'systems', { name, host: 'h', status: 'up', info, users })
    const containers = containerPoints([{ name: 'web', cpuPercent: 2, memoryBytes: 1_000_000 }])
    await hub.history.append(unit, [{ system: id, atMs, kinds: { system: systemPoints(sample), containers } }])
    return id
  })
}

async function scrape(hub: RecordedHub, authorization: string, accept = '') {
  const response = await hub.app.request('/metrics', { headers: { authorization, accept } })
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

const valueOf = (found: readonly ParsedFamily[], name: string, labels: Readonly<Record<string, string>> = {}): number | undefined =>
  found
    .flatMap(({ samples }) => samples)
    .find((one) => one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value))?.value

for (const kind of databases) {
  test(`${kind.name}: /metrics answers API keys with the scope read and nobody else`, async () => {
    await using hub = await recordedHub(kind)
    for (const scope of ['read', 'write'] as const)
      assert.equal((await scrape(hub, await newApiKey(hub, 'alice', scope))).status, 200, scope)
    const others = ['', 'nonsense', await newApiKey(hub, 'alice', 'ingest'), `vdt_${'0'.repeat(50)}`, await signedIn(hub, 'alice')]
    for (const token of [...others, await hub.tokenOf('boss'), await hub.tokenOf('super')]) {
      const { status, text } = await scrape(hub, token)
      assert.equal(status, 401)
      assert.ok(!text.includes('vedette_'))
    }
  })

  test(`${kind.name}: /metrics shows the systems of the key's owner by base units, and the hub only to admins`, withParser, async () => {
    await using hub = await recordedHub(kind)
    const web = await addSystem(hub, 'we"b\\\n1', rich)
    const hidden = await addSystem(hub, 'hidden', rich, { users: [dataset.aliases['bob'] ?? ''] })
    const stale = await addSystem(hub, 'stale', rich, { atMs: Date.now() - 600_000 })
    const key = await newApiKey(hub, 'alice', 'read')
    const { type, text } = await scrape(hub, `Bearer ${key}`)
    assert.equal(type, 'application/openmetrics-text; version=1.0.0; charset=utf-8')
    assert.ok(text.endsWith('\n# EOF\n'))
    const found = parsedMetrics(text)
    const of = { system_id: web }
    assert.equal(found.flatMap(({ samples }) => samples).find(({ labels }) => labels['system_id'] === web)?.labels['system'], 'we"b\\\n1')
    for (const [name, labels, expected] of [
      ['vedette_system_up', {}, 1],
      ['vedette_system_status', { status: 'up' }, 1],
      ['vedette_system_status', { status: 'down' }, 0],
      ['vedette_system_info', { agent_version: '0.18.8' }, 1],
      ['vedette_system_uptime_seconds', {}, 3600],
      ['vedette_system_cpu_ratio', {}, 0.125],
      ['vedette_system_cpu_mode_ratio', { mode: 'idle' }, 0.87],
      ['vedette_system_load15', {}, 0.3],
      ['vedette_system_memory_size_bytes', {}, 8 * 1024 ** 3],
      ['vedette_system_swap_used_bytes', {}, 0],
      ['vedette_system_filesystem_used_ratio', { filesystem: 'root' }, 0.4],
      ['vedette_system_filesystem_used_bytes', { filesystem: 'weird "disk"\\\n' }, 5],
      ['vedette_system_network_received_bytes_per_second', {}, 3000],
      ['vedette_system_interface_sent_bytes_total', { interface: 'eth0' }, 123_456],
      ['vedette_system_temperature_celsius', { sensor: 'coretemp' }, 51.5],
      ['vedette_system_gpu_memory_used_bytes', { gpu: '0' }, 2_097_152],
      ['vedette_container_memory_bytes', { container: 'web' }, 1_000_000],
    ] as const)
      assert.equal(valueOf(found, name, { ...of, ...labels }), expected, `${name} ${JSON.stringify(labels)}`)
    assert.equal(found.find(({ name }) => name === 'vedette_system_memory_used_bytes')?.unit, 'bytes')
    // Unknown values are left out, not 0.
    for (const name of ['vedette_system_memory_cache_bytes', 'vedette_system_gpu_power_watts', 'vedette_system_battery_charge_ratio'])
      assert.equal(valueOf(found, name, of), undefined, name)
    assert.equal(valueOf(found, 'vedette_system_up', { system_id: stale }), 1)
    assert.equal(valueOf(found, 'vedette_system_cpu_ratio', { system_id: stale }), undefined)
    assert.ok(!text.includes(hidden) && !text.includes('vedette_hub_systems'))

    const down = found.find(({ name }) => name === 'vedette_system_up')?.samples.filter(({ value }) => value === 0) ?? []
    assert.ok(down.length > 0)
    for (const { labels } of down)
      assert.equal(valueOf(found, 'vedette_system_memory_used_bytes', { system_id: labels['system_id'] ?? '' }), undefined)
    assert.equal(valueOf(parsedMetrics((await scrape(hub, key, 'text/plain')).text, 'prometheus'), 'vedette_system_cpu_ratio', of), 0.125)
  })

  test(`${kind.name}: /metrics shows an admin all systems and the hub's own measurements`, withParser, async () => {
    await using hub = await recordedHub(kind)
    const hidden = await addSystem(hub, 'hidden', rich)
    const key = await newApiKey(hub, 'boss', 'read')
    const health = {
      at: Date.now() - 1000,
      cpuPercent: 3,
      residentBytes: 1e8,
      heapBytes: 5e7,
      loopLateMs: 2,
      databaseBytes: null,
      agents: 4,
    }
    await saveHealth(hub.engine.database, { ...health, waitingSamples: 0, waitingMessages: 1, waitingLogs: 0 })
    const found = parsedMetrics((await scrape(hub, key)).text)
    assert.equal(valueOf(found, 'vedette_system_up', { system_id: hidden }), 1)
    const systems = dataset.collections['systems'] ?? []
    const counts = found.find(({ name }) => name === 'vedette_hub_systems')?.samples.map(({ value }) => value) ?? []
    assert.equal(
      counts.reduce((sum, value) => sum + value, 0),
      systems.length + 1,
    )
    for (const [name, expected] of [
      ['vedette_hub_cpu_ratio', 0.03],
      ['vedette_hub_event_loop_delay_seconds', 0.002],
      ['vedette_hub_connected_agents', 4],
      ['vedette_hub_waiting_messages', 1],
      ['vedette_hub_database_size_bytes', undefined],
      ['vedette_metrics_left_out_samples', 0],
    ] as const)
      assert.equal(valueOf(found, name), expected, name)
  })

  test(`${kind.name}: /metrics limits the samples of one system and says how many it left out`, withParser, async () => {
    await using hub = await recordedHub(kind)
    const temperatures = Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`sensor-${at}`, at]))
    const long = 'x'.repeat(250)
    const web = await addSystem(hub, 'web', { ...machineSample, temperatures: { ...temperatures, [`${long}1`]: 1, [`${long}2`]: 2 } })
    const found = parsedMetrics((await scrape(hub, await newApiKey(hub, 'alice', 'read'))).text)
    const own = found.flatMap(({ samples }) => samples).filter(({ labels }) => labels['system_id'] === web)
    assert.ok(own.length > 900 && own.length < 1020, String(own.length))
    assert.ok((valueOf(found, 'vedette_metrics_left_out_samples') ?? 0) > 500)
    assert.equal(new Set(own.map(({ name, labels }) => JSON.stringify([name, labels]))).size, own.length)
  })
}
