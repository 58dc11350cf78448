import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { test } from 'node:test'
import type { ContainerSample } from '@vedette/protocol/metrics/sample'
import { createLoop } from '../../runtime/deadline.ts'
import { memoryRuntime } from '../../runtime/memory-runtime.ts'
import { procSource } from '../../source/proc-source.ts'
import { byteTools } from '../../runtime/node/byte-tools.ts'
import type { HttpEvent } from '../../runtime/runtime.ts'
import { engineClient } from './client.ts'
import { namedContainers } from './list.ts'
import { containersCollector } from './containers.ts'
import type { EngineAddress } from './engine-address.ts'

const usualRoots = { proc: '/proc', sys: '/sys', etc: '/etc' }

/** Constructed from the Docker Engine API's documentation: containers by number, each with the counters the test gives it. */
const idOf = (number: number): string => String(number).padStart(12, '0')
const listed = (number: number, more: object = {}) => ({
  Id: idOf(number).padEnd(64, 'a'),
  Names: [`/c${number}`],
  Image: 'image:1',
  Status: 'Up 2 hours',
  ...more,
})
const stats = (count: number, more: object = {}) => ({
  cpu_stats: { cpu_usage: { total_usage: count * 1e9 }, system_cpu_usage: count * 1e10, online_cpus: 4 },
  memory_stats: { usage: 2_000_000, stats: { inactive_file: 500_000 } },
  networks: { eth0: { rx_bytes: count * 1000, tx_bytes: count * 500 } },
  ...more,
})
const disk = (version: 1 | 2, read: number, write: number) => {
  const [readName, writeName] = version === 1 ? ['Read', 'Write'] : ['read', 'write']
  return {
    blkio_stats: {
      io_service_bytes_recursive: [
        { major: 8, minor: 0, op: readName, value: read },
        { major: 8, minor: 0, op: writeName, value: write },
        { major: 259, minor: 0, op: readName, value: read },
        { major: 259, minor: 0, op: writeName, value: write },
        ...(version === 1 ? [{ major: 8, minor: 0, op: 'Total', value: read + write }] : []),
      ],
    },
  }
}

type Answers = {
  list: unknown
  /** Response by path: a text is sent as it is, a number is a status, `undefined` means no response. */
  answer: (path: string) => unknown
  version: object
}

function engine(answers: Partial<Answers>, exclude: readonly string[] = []) {
  const state: Answers = { list: [listed(1)], answer: () => stats(1), version: { Version: '27.0.1' }, ...answers }
  const asked: string[] = []
  let address: EngineAddress | undefined = { kind: 'unix', path: '/run/engine.sock' }
  let atOnce = 0
  let most = 0
  const memory = memoryRuntime({
    files: {},
    bytes: byteTools,
    answer: ({ path, deadlineMs }): HttpEvent | undefined => {
      if (path.startsWith('/events')) return undefined
      asked.push(path)
      const value = path === '/version' ? state.version : path === '/containers/json' ? state.list : state.answer(path)
      if (path.includes('/stats')) {
        most = Math.max(most, ++atOnce)
        queueMicrotask(() => atOnce--)
      }
      if (value === undefined) {
        silent.push(deadlineMs)
        return undefined
      }
      if (typeof value === 'number') return { kind: 'answer', status: value, headers: [], body: new Uint8Array() }
      if (value instanceof Error) return { kind: 'failed', reason: value.message }
      return { kind: 'answer', status: 200, headers: [], body: byteTools.utf8(typeof value === 'string' ? value : JSON.stringify(value)) }
    },
  })
  const silent: number[] = []
  const parts = { runtime: memory.runtime, loop: createLoop(memory.runtime), source: procSource(memory.runtime, usualRoots) }
  const client = engineClient(parts, () => address, 2100)
  const collector = containersCollector({ ...parts, engine: client }, { exclude, budgetMs: 4000 })
  return {
    state,
    asked,
    most: () => most,
    gone: () => {
      address = undefined
    },
    advance: memory.advance,
    collector,
    read: async (consumer = 1000): Promise<ReadonlyMap<string, ContainerSample>> => {
      const all = (await collector.collect({ consumer, atMs: memory.runtime.clock().monotonicMs }))?.containers ?? []
      return new Map(all.map((one) => [one.name, one]))
    },
  }
}

for (const version of [1, 2] as const) {
  test(`containersCollector adds up the I/O of all disks, cgroups version ${version}`, async () => {
    const docker = engine({ answer: () => stats(1, disk(version, 1_000_000, 0)) })
    await docker.read()
    docker.advance(2000)
    docker.state.answer = () => stats(2, disk(version, 3_000_000, 500_000))
    const one = (await docker.read()).get('c1')
    assert.deepEqual([one?.diskReadBytesPerSecond, one?.diskWrittenBytesPerSecond], [2_000_000, 500_000])
  })
}

for (const blkio of [
  undefined,
  null,
  { io_service_bytes_recursive: null },
  { io_service_bytes_recursive: [] },
  { io_service_bytes_recursive: 'x' },
]) {
  test(`containersCollector reports no disk rates for ${JSON.stringify(blkio)}`, async () => {
    const docker = engine({ answer: () => stats(1, { blkio_stats: blkio }) })
    await docker.read()
    docker.advance(2000)
    const one = (await docker.read()).get('c1')
    assert.ok(one !== undefined && !('diskReadBytesPerSecond' in one) && one.sentBytesPerSecond === 0)
  })
}

test('bug class 5: a counter that went back removes only its own rate, for one sample', async () => {
  const docker = engine({ answer: () => stats(5, disk(2, 5000, 5000)) })
  await docker.read()
  docker.advance(1000)
  docker.state.answer = () => stats(6, disk(2, 10, 10))
  const back = (await docker.read()).get('c1')
  assert.deepEqual([back?.diskReadBytesPerSecond, back?.sentBytesPerSecond, back?.cpuPercent], [undefined, 500, 10])
  docker.advance(1000)
  docker.state.answer = () => stats(7, disk(2, 1010, 10))
  assert.equal((await docker.read()).get('c1')?.diskReadBytesPerSecond, 2000)
})

test("bug class 7: traffic of containers in one network is counted for the network's owner only; the others name the owner", async () => {
  const docker = engine({
    list: [
      listed(1, { Names: ['/vpn'], HostConfig: { NetworkMode: 'appnet' } }),
      listed(2, { HostConfig: { NetworkMode: `container:${idOf(1).padEnd(64, 'a')}` } }),
      listed(3, { HostConfig: { NetworkMode: 'container:vpn' } }),
      listed(4, { HostConfig: { NetworkMode: `container:${'f'.repeat(64)}` } }),
      listed(5, { HostConfig: { NetworkMode: 'host' } }),
      listed(6, { HostConfig: { NetworkMode: 'none' } }),
    ],
  })
  await docker.read()
  docker.advance(1000)
  docker.state.answer = () => stats(2)
  const all = await docker.read()
  assert.deepEqual(
    [...all.values()].map(({ networkOf }) => networkOf),
    [undefined, 'vpn', 'vpn', 'f'.repeat(12), 'host', undefined],
  )
  const total = [...all.values()].reduce((sum, { receivedBytesPerSecond = 0 }) => sum + receivedBytesPerSecond, 0)
  assert.equal(total, 2000)
})

test('bug class 7: an excluded container still gives its name to the containers in its network', async () => {
  const list = [listed(1, { Names: ['/vpn'] }), listed(2, { HostConfig: { NetworkMode: `container:${idOf(1)}` } })]
  const all = await engine({ list }, ['vpn']).read()
  assert.deepEqual([[...all.keys()], all.get('c2')?.networkOf], [['c2'], 'vpn'])
})

test('bug class 8: containersCollector reads the network of Podman containers from the inspection, not from the list', async () => {
  const docker = engine({
    version: { Version: '5.4.0', Components: [{ Name: 'Podman Engine' }] },
    list: [listed(1, { HostConfig: { NetworkMode: 'host' } }), listed(2, { HostConfig: { NetworkMode: 'host' } })],
    answer: (path) =>
      path.endsWith('/json')
        ? {
            RestartCount: 2,
            State: { Health: { Status: 'healthy' } },
            HostConfig: { NetworkMode: path.includes(idOf(2)) ? `container:${idOf(1)}` : 'pasta' },
          }
        : stats(1),
  })
  const all = await docker.read()
  const seen = ['c1', 'c2'].map((name) => all.get(name)).map((one) => [one?.networkOf, one?.health, one?.restarts])
  assert.deepEqual(seen, [
    [undefined, 'healthy', 2],
    ['c1', 'healthy', 2],
  ])
})

test('namedContainers keeps the name of a container that compose is replacing', () => {
  const labels = { 'com.docker.compose.project': 'shop', 'com.docker.compose.service': 'db' }
  const entry = (id: string, name: string, more: object = { Labels: labels }) => ({ Id: id.repeat(64), Names: [`/${name}`], ...more })
  const namesOf = (...list: readonly object[]) => namedContainers(JSON.parse(JSON.stringify(list))).map(({ name }) => name)
  assert.deepEqual(namesOf(entry('a', 'bbbbbbbbbbbb_shop-db-1')), ['shop-db-1'])
  assert.deepEqual(namesOf(entry('a', 'bbbbbbbbbbbb_shop-db-1'), entry('b', 'shop-db-1')), ['bbbbbbbbbbbb_shop-db-1', 'shop-db-1'])
  assert.deepEqual(namesOf(entry('a', 'bbbbbbbbbbbb_mine', {})), ['bbbbbbbbbbbb_mine'])
})

test('containersCollector reports compose names and restarts, and inspects a container again only after a new start', async () => {
  let restarts = 1
  const labels = { 'com.docker.compose.project': 'shop', 'com.docker.compose.service': 'db' }
  const docker = engine({
    list: [listed(1, { Labels: labels }), listed(2, { Labels: { 'io.podman.compose.project': 'p', 'io.podman.compose.service': 's' } })],
    answer: (path) => (path.endsWith('/json') ? { RestartCount: restarts } : stats(1)),
  })
  const inspections = () => docker.asked.filter((path) => /\/containers\/\d+\/json/.test(path)).length
  const first = await docker.read()
  assert.deepEqual([first.get('c1')?.composeProject, first.get('c1')?.composeService, first.get('c1')?.restarts], ['shop', 'db', 1])
  assert.deepEqual([first.get('c2')?.composeProject, first.get('c2')?.composeService], ['p', 's'])
  for (let sample = 0; sample < 50; sample++) {
    docker.advance(1000)
    await docker.read()
  }
  assert.equal(inspections(), 2)
  restarts = 2
  docker.state.list = [listed(1, { Labels: labels, Status: 'Up 3 seconds' })]
  docker.advance(1000)
  assert.equal((await docker.read()).get('c1')?.restarts, 2)
})

test('bug class 9: containers on which the engine hangs stay listed without numbers; the others are complete', async () => {
  const numbers = Array.from({ length: 12 }, (_, index) => index + 1)
  const hanging = (path: string) => /\/0+(3|7)\//.test(path)
  const docker = engine({ list: numbers.map((number) => listed(number)), answer: (path) => (hanging(path) ? undefined : stats(1)) })
  const reading = docker.read()
  await setImmediate()
  docker.advance(4000)
  const all = await reading
  assert.equal(all.size, 12)
  const without = [...all.values()].filter(({ memoryBytes }) => memoryBytes === undefined).map(({ name }) => name)
  assert.deepEqual(without, ['c3', 'c7'])
  assert.deepEqual(
    docker.collector.report?.().skipped?.map(({ what }) => what),
    ['numbers of c3', 'numbers of c7'],
  )
  docker.state.answer = () => stats(2)
  docker.advance(1000)
  assert.ok([...(await docker.read()).values()].every(({ memoryBytes }) => memoryBytes === 1_500_000))
})

test('bug class 9: a container whose inspection hangs keeps its numbers', async () => {
  const docker = engine({ answer: (path) => (path.endsWith('/json') ? undefined : stats(1)) })
  const reading = docker.read()
  await setImmediate()
  docker.advance(4000)
  const one = (await reading).get('c1')
  assert.deepEqual([one?.memoryBytes, one?.restarts], [1_500_000, undefined])
})

test('bug class 9: an engine that stops responding after its list takes no more time than the budget', async () => {
  const docker = engine({ list: Array.from({ length: 40 }, (_, index) => listed(index + 1)), answer: () => undefined })
  const reading = docker.read()
  await setImmediate()
  docker.advance(4000)
  assert.equal((await reading).size, 40)
  assert.ok(docker.asked.length < 15)
})

for (const [what, body] of [
  ['truncated', JSON.stringify(stats(1)).slice(0, 60)],
  ['empty', ''],
  ['HTML', '<html>502 Bad Gateway</html>'],
  ['a list', '[]'],
  ['null', 'null'],
  [
    'JSON with wrong types',
    '{"cpu_stats":[],"memory_stats":"x","networks":[1,{"a":null}],"blkio_stats":{"io_service_bytes_recursive":[null,1,{}]}}',
  ],
] as const) {
  test(`bug class 9: a response that is ${what} does not affect the other containers`, async () => {
    const docker = engine({ list: [listed(1), listed(2)], answer: (path) => (path.includes(idOf(1)) ? body : stats(1)) })
    const all = await docker.read()
    assert.deepEqual([all.get('c1')?.memoryBytes, all.get('c2')?.memoryBytes], [undefined, 1_500_000])
    assert.equal(all.get('c1')?.status, 'Up 2 hours')
  })
}

test('containersCollector lists the valid entries of a malformed list and fails only when the response is no list', async () => {
  const odd = [
    null,
    1,
    {},
    { Id: 5 },
    { Id: '../../x', Names: ['/a'] },
    { Id: idOf(9), Names: [] },
    { Id: idOf(9), Names: ['/\u001b[31mred\u0007'] },
  ]
  assert.deepEqual([...(await engine({ list: odd }).read()).keys()], ['red'])
  await assert.rejects(engine({ list: { message: 'odd' } }).read(), /Cannot parse the list of containers/)
  await assert.rejects(engine({ list: 'no JSON' }).read(), /Cannot parse the container engine's answer to "\/containers\/json"/)
})

test('engineClient retries an immediate failure once, but no refusal and no slow failure', async () => {
  const reset = engine({ answer: () => new Error('socket hang up') })
  await reset.read()
  assert.equal(reset.asked.filter((path) => path.includes('stats')).length, 2)
  const gone = engine({ answer: () => 404 })
  await gone.read()
  assert.equal(gone.asked.filter((path) => path.includes('stats')).length, 1)
})

test('containersCollector sends all requests at once up to version 24; later engines and Podman get five at a time', async () => {
  const list = Array.from({ length: 20 }, (_, index) => listed(index + 1))
  for (const [version, most] of [
    [{ Version: '20.10.24' }, 20],
    [{ Version: '24.0.9' }, 20],
    [{ Version: '25.0.0' }, 5],
    [{ Version: '5.4.0', Components: [{ Name: 'Podman Engine' }] }, 5],
    [{}, 5],
  ] as const) {
    const docker = engine({ list, version })
    await docker.read()
    assert.equal(docker.most(), most, JSON.stringify(version))
  }
})

test('containersCollector works behind a proxy that hides the version of the engine', async () => {
  const docker = engine({})
  docker.state.version = 403 as never
  assert.equal((await docker.read()).size, 1)
})

test('bug class 6: two concurrent consumers never share a baseline', async () => {
  const docker = engine({})
  await docker.read(60_000)
  for (let second = 1; second <= 60; second++) {
    docker.advance(1000)
    docker.state.answer = () => stats(1 + second)
    const [live, poll] = await Promise.all([docker.read(1000), second === 60 ? docker.read(60_000) : undefined])
    assert.equal(live.get('c1')?.receivedBytesPerSecond, 1000)
    if (poll !== undefined) assert.equal(poll.get('c1')?.receivedBytesPerSecond, 1000)
  }
})

test('bug class 23: containersCollector discards the data of removed containers', async () => {
  const docker = engine({})
  const sizes: number[] = []
  for (let sample = 0; sample < 300; sample++) {
    docker.state.list = [listed(sample)]
    docker.advance(1000)
    await docker.read()
    await docker.read(60_000)
    sizes.push(docker.collector.report?.().found?.length ?? 0)
  }
  // A container that returns later has no baseline: its data was discarded.
  docker.state.list = [listed(1)]
  docker.advance(1000)
  const again = (await docker.read()).get('c1')
  assert.ok(again !== undefined && !('cpuPercent' in again))
  assert.ok(new Set(sizes).size === 1)
})

test("containersCollector is absent without an engine, and names the missing permission if the engine's socket cannot be opened", async () => {
  const none = engine({})
  none.gone()
  assert.equal(await none.collector.collect({ consumer: 1000, atMs: 0 }), undefined)
  const denied = engine({ list: new Error('connect EACCES /run/engine.sock') })
  await assert.rejects(denied.read(), /EACCES/)
  assert.match(denied.collector.report?.().remedy ?? '', /usermod -aG docker/)
})

test('containersCollector reports a change in a list that was unchanged for a while', async () => {
  const docker = engine({ list: [listed(1), listed(2)] }, ['c2'])
  for (const _round of [1, 2]) {
    docker.advance(2000)
    assert.deepEqual([...(await docker.read()).keys()], ['c1'])
    assert.deepEqual(docker.collector.report?.().skipped, [{ what: 'c2', why: 'EXCLUDE_CONTAINERS names it' }])
  }
  docker.state.list = [listed(1, { Status: 'Up 3 hours' }), listed(3)]
  docker.advance(2000)
  const read = await docker.read()
  assert.deepEqual([[...read.keys()], read.get('c1')?.status], [['c1', 'c3'], 'Up 3 hours'])
})

test('containersCollector reads known containers while it requests the list, then adds new ones and drops removed ones', async () => {
  const docker = engine({ list: [listed(1), listed(2)], answer: () => stats(1) })
  const asked = async (): Promise<readonly string[]> => {
    docker.asked.length = 0
    docker.advance(1000)
    const names = [...(await docker.read()).keys()]
    const paths = docker.asked.filter((path) => !path.endsWith('/json') || path === '/containers/json')
    return [...paths.map((path) => path.replace(/.*\/0+(\d+)\/stats.*/, '$1')), ...names]
  }
  await docker.read()
  assert.deepEqual(await asked(), ['1', '2', '/containers/json', 'c1', 'c2'])
  docker.state.list = [listed(2), listed(3)]
  docker.state.answer = (path) => (path.includes(idOf(1)) ? 404 : stats(2))
  assert.deepEqual(await asked(), ['1', '2', '/containers/json', '3', 'c2', 'c3'])
  assert.deepEqual(await asked(), ['2', '3', '/containers/json', 'c2', 'c3'])
})

test('containersCollector reads a container again when it may have restarted after the first reading', async () => {
  const docker = engine({ answer: () => stats(7) })
  await docker.read()
  docker.advance(1000)
  docker.state.list = [listed(1, { Status: 'Up Less than a second' })]
  const counts = [8, 1]
  docker.state.answer = (path) => (path.includes('/stats') ? stats(counts.shift() ?? 0) : {})
  assert.equal((await docker.read()).get('c1')?.cpuPercent, undefined)
  docker.advance(990)
  docker.state.list = [listed(1, { Status: 'Up 1 second' })]
  docker.state.answer = () => stats(2)
  // The rate is measured from the second reading; the first reading was of the previous run.
  assert.equal((await docker.read()).get('c1')?.cpuPercent, 10)
})

test('containersCollector requests only the list from an engine whose last list request failed', async () => {
  const docker = engine({})
  await docker.read()
  docker.state.list = new Error('connect ECONNREFUSED')
  await assert.rejects(docker.read())
  docker.asked.length = 0
  await assert.rejects(docker.read())
  assert.deepEqual(new Set(docker.asked.filter((path) => path !== '/version')), new Set(['/containers/json']))
})
