import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ContainerSample } from '@vedette/protocol/metrics/sample'
import { createLoop } from '../../runtime/deadline.ts'
import { memoryRuntime } from '../../runtime/memory-runtime.ts'
import { byteTools } from '../../runtime/node/byte-tools.ts'
import type { HttpEvent } from '../../runtime/runtime.ts'
import { procSource } from '../../source/proc-source.ts'
import { engineClient } from './client.ts'
import { containersCollector } from './containers.ts'

/** A container with counters in both the engine and the kernel, constructed from the documentation of both. */
type Counted = { cpuNs: number; received: number; sent: number; read: number; written: number; memory: number; inactive: number }

const idOf = (number: number): string => String(number).padStart(12, '0').padEnd(64, 'a')

function machine(count = 1) {
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  const kernel: Counted = { cpuNs: 1e9, received: 100, sent: 50, read: 10, written: 20, memory: 20_000_000, inactive: 5_000_000 }
  const state = {
    kernel,
    /** Counters of the engine that differ from the kernel's. */
    told: {} as Partial<Counted>,
    networks: true,
    status: 'Up 2 hours',
    mode: 'appnet',
    pid: 100,
    podman: false,
    isHeard: false,
    /** Containers whose stats the engine refuses. */
    silent: false,
    /** Containers whose control groups the agent cannot see. */
    hidden: [] as readonly number[],
    /** Containers that are missing in the engine's list. */
    unlisted: [] as readonly number[],
    running: numbers,
  }
  const asked: string[] = []
  const filesNow = (): Record<string, string> => {
    const { kernel, pid } = state
    return Object.fromEntries(
      state.running
        .filter((number) => !state.hidden.includes(number))
        .flatMap((number) => {
          const group = `/sys/fs/cgroup/system.slice/docker-${idOf(number)}.scope`
          const process = `/proc/${pid + number}`
          const device = (name: string, more = 0) => ` ${name}: ${kernel.received + more} 1 0 0 0 0 0 0 ${kernel.sent + more} 1 0 0 0 0 0 0`
          return [
            [`${process}/cgroup`, `0::/system.slice/docker-${idOf(number)}.scope\n`],
            [`${process}/net/dev`, ['Inter-| Receive', ' face |bytes', device('lo', 7), device('eth0'), device('wg0', 9)].join('\n')],
            [`${group}/cpu.stat`, `usage_usec ${kernel.cpuNs / 1000}\nuser_usec 1\n`],
            [`${group}/memory.current`, `${kernel.memory}\n`],
            [`${group}/memory.stat`, `anon 1\nfile 2\ninactive_file ${kernel.inactive}\n`],
            [`${group}/io.stat`, `8:0 rbytes=${kernel.read} wbytes=${kernel.written} rios=1\n`],
          ]
        }),
    )
  }
  const stats = () => {
    const { cpuNs, received, sent, read, written, memory: usage, inactive } = { ...state.kernel, ...state.told }
    const op = (name: string, value: number) => ({ major: 8, minor: 0, op: name, value })
    return {
      read: new Date(1_800_000_000_000 + memory.runtime.clock().monotonicMs).toISOString(),
      cpu_stats: { cpu_usage: { total_usage: cpuNs }, system_cpu_usage: 4e6 * memory.runtime.clock().monotonicMs, online_cpus: 4 },
      memory_stats: { usage, stats: { inactive_file: inactive } },
      blkio_stats: { io_service_bytes_recursive: [op('read', read), op('write', written)] },
      ...(state.networks ? { networks: { eth0: { rx_bytes: received, tx_bytes: sent } } } : {}),
    }
  }
  const answerTo = (path: string): unknown => {
    if (path === '/version') return state.podman ? { Version: '5.4.0', Components: [{ Name: 'Podman Engine' }] } : { Version: '27.0.1' }
    if (path === '/containers/json') {
      const { status, mode, running, unlisted } = state
      const listed = running.filter((one) => !unlisted.includes(one))
      return listed.map((one) => ({ Id: idOf(one), Names: [`/c${one}`], Image: 'i', Status: status, HostConfig: { NetworkMode: mode } }))
    }
    if (path.includes('/stats')) return stats()
    return { State: { Pid: state.pid + Number(/^\/containers\/(\d{12})/.exec(path)?.[1] ?? 0) }, HostConfig: { NetworkMode: state.mode } }
  }
  const memory = memoryRuntime({
    files: {},
    bytes: byteTools,
    answer: ({ path }): HttpEvent | undefined => {
      if (path.startsWith('/events')) return state.isHeard ? { kind: 'head', status: 200, headers: [] } : undefined
      asked.push(path)
      if (state.silent && path.includes('/stats')) return { kind: 'answer', status: 404, headers: [], body: byteTools.utf8('{}') }
      return { kind: 'answer', status: 200, headers: [], body: byteTools.utf8(JSON.stringify(answerTo(path))) }
    },
  })
  const parts = { runtime: memory.runtime, loop: createLoop(memory.runtime) }
  const source = procSource(memory.runtime, { proc: '/proc', sys: '/sys', etc: '/etc' })
  const engine = engineClient(parts, () => ({ kind: 'unix', path: '/run/engine.sock' }), 2100)
  const collector = containersCollector({ ...parts, engine, source }, { exclude: [], budgetMs: 4000 })
  const take = (consumer: number) => {
    memory.advance(1000)
    memory.replaceFiles(filesNow())
    const families = collector.collect({ consumer, atMs: memory.runtime.clock().monotonicMs })
    return families instanceof Promise ? families.then((one) => one?.containers) : families?.containers
  }
  return {
    state,
    /** Number of stats requests since the last call. */
    askedForNumbers: () => asked.splice(0).filter((path) => path.includes('/stats')).length,
    /** Number of all requests since the last call of either function. */
    asked: () => asked.splice(0).length,
    openCounters: memory.openCounters,
    grow: (by: Partial<Counted>) => {
      for (const name of Object.keys(by) as (keyof Counted)[]) state.kernel[name] += by[name] ?? 0
    },
    /** The first container in a sample taken 1 s later. */
    next: async (consumer = 1000): Promise<ContainerSample | undefined> => (await take(consumer))?.[0],
    all: async (consumer = 1000) => (await take(consumer)) ?? [],
    take,
    wait: memory.advance,
  }
}

type Machine = ReturnType<typeof machine>

/** Takes three samples, after which the container is listed, inspected and compared. */
async function trusted(machine: Machine): Promise<void> {
  for (let sample = 0; sample < 3; sample++) await machine.next()
  machine.askedForNumbers()
}

test('kernel counters: they replace stats requests once both sources agree, without a gap in the values', async () => {
  const host = machine()
  const seen: (number | undefined)[][] = []
  const counts: number[] = []
  for (let sample = 0; sample < 5; sample++) {
    const one = await host.next()
    counts.push(host.askedForNumbers())
    seen.push([one?.cpuPercent, one?.memoryBytes, one?.receivedBytesPerSecond, one?.sentBytesPerSecond, one?.diskWrittenBytesPerSecond])
    host.grow({ cpuNs: 4e8, received: 1000, sent: 500, written: 4096 })
  }
  assert.deepEqual(counts, [1, 1, 0, 0, 0])
  assert.deepEqual(seen[0], [undefined, 15_000_000, undefined, undefined, undefined])
  for (const one of seen.slice(1)) assert.deepEqual(one, [10, 15_000_000, 1000, 500, 4096])
})

test('kernel counters: a consumer whose last reading came from the engine has rates from the kernel too', async () => {
  const host = machine()
  await host.next(60_000)
  await host.next(1000)
  host.askedForNumbers()
  host.grow({ cpuNs: 8e8, received: 4000, sent: 2000 })
  const one = await host.next(60_000)
  assert.deepEqual([one?.cpuPercent, one?.receivedBytesPerSecond, host.askedForNumbers()], [10, 2000, 0])
})

for (const [what, change] of [
  ['CPU time (higher)', { cpuNs: 3e9 }],
  ['CPU time (lower)', { cpuNs: 1 }],
  ['received bytes', { received: 101 }],
  ['sent bytes', { sent: 0 }],
  ['bytes read', { read: 11 }],
  ['bytes written', { written: 19 }],
  ['memory', { memory: 900_000_000 }],
] as const) {
  test(`kernel counters: an engine that reports other ${what} stays the source of the values`, async () => {
    const host = machine()
    host.state.told = change
    await trusted(host)
    const one = await host.next()
    assert.equal(host.askedForNumbers(), 1)
    assert.equal(one?.memoryBytes, 'memory' in change ? 895_000_000 : 15_000_000)
    host.state.told = {}
    host.wait(11 * 60_000)
    await host.next()
    host.askedForNumbers()
    await host.next()
    assert.equal(host.askedForNumbers(), 0, 'it gets another chance')
  })
}

test('kernel counters: they are not used for traffic when the engine reports no networks', async () => {
  const host = machine()
  host.state.networks = false
  await trusted(host)
  await host.next()
  assert.equal(host.askedForNumbers(), 1)
})

test("kernel counters: a container in the machine's network has no traffic, and its other values come from the kernel", async () => {
  const host = machine()
  host.state.networks = false
  host.state.mode = 'host'
  await trusted(host)
  const one = await host.next()
  assert.deepEqual([host.askedForNumbers(), one?.memoryBytes, one?.receivedBytesPerSecond], [0, 15_000_000, undefined])
})

test('kernel counters: a restarted container is read from the engine until its new process is known', async () => {
  const host = machine()
  await trusted(host)
  host.state.pid = 500
  host.state.status = 'Up Less than a second'
  host.state.kernel = { cpuNs: 5e6, received: 0, sent: 0, read: 0, written: 0, memory: 6_000_000, inactive: 0 }
  const fresh = await host.next()
  assert.deepEqual([fresh?.cpuPercent, fresh?.memoryBytes, fresh?.receivedBytesPerSecond], [undefined, 6_000_000, undefined])
  host.state.status = 'Up 2 seconds'
  host.wait(10_000)
  for (let sample = 0; sample < 3; sample++) await host.next()
  host.askedForNumbers()
  host.grow({ cpuNs: 4e7 })
  const one = await host.next()
  assert.deepEqual([one?.cpuPercent, host.askedForNumbers()], [1, 0])
})

test('kernel counters: they are compared with the engine again every ten minutes', async () => {
  const host = machine()
  await trusted(host)
  host.wait(10 * 60_000)
  await host.next()
  assert.equal(host.askedForNumbers(), 1)
  await host.next()
  assert.equal(host.askedForNumbers(), 0)
})

test('kernel counters: they are never used for Podman', async () => {
  const host = machine()
  host.state.podman = true
  await trusted(host)
  await host.next()
  assert.equal(host.askedForNumbers(), 1)
})

test('kernel counters: they are used for at most 100 containers, and a container that ends frees its place', async () => {
  const host = machine(103)
  await trusted(host)
  await host.next()
  assert.equal(host.askedForNumbers(), 3)
  host.state.running = host.state.running.slice(2)
  for (let sample = 0; sample < 3; sample++) await host.next()
  host.askedForNumbers()
  await host.next()
  assert.equal(host.askedForNumbers(), 1)
})

test('kernel counters: a sample without any event needs no request and no waiting', async () => {
  const host = machine(2)
  host.state.isHeard = true
  await trusted(host)
  await host.next()
  host.asked()
  host.grow({ cpuNs: 4e8 })
  const samples = host.take(1000)
  assert.ok(Array.isArray(samples))
  assert.deepEqual([samples.map(({ cpuPercent }: ContainerSample) => cpuPercent), host.asked()], [[10, 10], 0])
})

test('kernel counters: a container that ended is missing from the sample before the engine reports its end', async () => {
  const host = machine(2)
  host.state.isHeard = true
  await trusted(host)
  await host.next()
  host.state.running = [2]
  assert.deepEqual(
    (await host.all()).map(({ name }) => name),
    ['c2'],
  )
  assert.equal(host.openCounters(), 1)
})

test('kernel counters: a container that the agent cannot read itself gets the engine’s values', async () => {
  const host = machine(2)
  host.state.isHeard = true
  host.state.hidden = [2]
  await trusted(host)
  await host.next()
  host.askedForNumbers()
  host.grow({ cpuNs: 4e8 })
  assert.deepEqual(
    (await host.all()).map(({ cpuPercent, memoryBytes }) => [cpuPercent, memoryBytes]),
    [
      [10, 15_000_000],
      [10, 15_000_000],
    ],
  )
  assert.equal(host.askedForNumbers(), 1)
})

test('kernel counters: the comparison is repeated in the next sample when the engine returned no stats', async () => {
  const host = machine()
  await host.next()
  host.state.silent = true
  await host.next()
  assert.equal(host.openCounters(), 0)
  host.state.silent = false
  await host.next()
  host.askedForNumbers()
  const one = await host.next()
  assert.deepEqual([host.askedForNumbers(), one?.memoryBytes], [0, 15_000_000])
})

test('kernel counters: the engine reports the network owner’s traffic for a container, and it is not compared', async () => {
  const host = machine()
  host.state.mode = `container:${idOf(7)}`
  await trusted(host)
  await host.next()
  assert.equal(host.askedForNumbers(), 0)
})

test('kernel counters: one set is open per container that is read, despite concurrent consumers and changing lists', async () => {
  const host = machine(5)
  await host.next()
  await Promise.all([host.next(1000), host.next(60_000)])
  assert.equal(host.openCounters(), 5)
  for (let sample = 0; sample < 20; sample++) {
    host.state.running = [sample, sample + 1, sample + 2].map((number) => 10 + number)
    await host.next()
    await host.next()
  }
  assert.equal(host.openCounters(), 3)
  host.state.running = []
  await host.next()
  assert.equal(host.openCounters(), 0)
})

test('kernel counters: a container that is no longer listed is closed, even if it still runs', async () => {
  const host = machine(2)
  await trusted(host)
  host.state.unlisted = [1]
  await host.next()
  assert.equal(host.openCounters(), 1)
})
