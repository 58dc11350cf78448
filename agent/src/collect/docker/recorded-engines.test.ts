import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeCbor } from '@vedette/protocol/cbor/decode'
import type { ContainerSample } from '@vedette/protocol/metrics/sample'
import { decodeDocument } from '@vedette/protocol/wire/document-decode'
import { decodeEnvelope } from '@vedette/protocol/wire/envelope'
import { nodeUtf8 } from '../../../../protocol/test/node-utf8.ts'
import { fromHex, readRecording } from '../../../../protocol/test/recorded.ts'
import { createLoop } from '../../runtime/deadline.ts'
import { recordedEngine, type RecordedEngine } from '../../fixtures/recorded-machine.ts'
import type { HttpEvent, HttpRequest } from '../../runtime/runtime.ts'
import { memoryRuntime } from '../../runtime/memory-runtime.ts'
import { procSource } from '../../source/proc-source.ts'
import { byteTools } from '../../runtime/node/byte-tools.ts'
import { engineClient } from './client.ts'
import { containersCollector } from './containers.ts'
import { engineFacts } from './engine-facts.ts'

const usualRoots = { proc: '/proc', sys: '/sys', etc: '/etc' }

function answerOf(engine: RecordedEngine, moment: 't0' | 't1', path: string): unknown {
  if (path === '/version') return engine.version
  if (path === '/info') return engine.info
  if (path === '/containers/json') return engine.list
  const id = /^\/containers\/([0-9a-f]{12})\/(stats\?stream=0&one-shot=1|json)$/.exec(path)
  const index = engine.list.findIndex(({ Id }) => id?.[1] !== undefined && Id.startsWith(id[1]))
  if (id?.[2] === 'json') return Array.isArray(engine.inspect) ? engine.inspect[index] : undefined
  return (moment === 't0' ? engine.stats_t0 : engine.stats_t1)[index]
}

function engineAt(name: 'synthetic-docker' | 'synthetic-podman', exclude: readonly string[] = []) {
  const engine = recordedEngine(name)
  const asked: string[] = []
  let moment: 't0' | 't1' = 't0'
  const answer = ({ path }: HttpRequest): HttpEvent => {
    asked.push(path)
    const value = answerOf(engine, moment, path)
    const body = byteTools.utf8(JSON.stringify(value ?? { message: 'not found' }))
    return { kind: 'answer', status: value === undefined ? 404 : 200, headers: [['server', engine.server_header]], body }
  }
  const memory = memoryRuntime({ files: {}, bytes: byteTools, answer })
  const parts = { runtime: memory.runtime, loop: createLoop(memory.runtime), source: procSource(memory.runtime, usualRoots) }
  const client = engineClient(parts, () => ({ kind: 'unix', path: '/run/engine.sock' }), 2100)
  const collector = containersCollector({ ...parts, engine: client }, { exclude, budgetMs: 4000 })
  return {
    client,
    asked,
    read: async (consumer: number) => (await collector.collect({ consumer, atMs: memory.runtime.clock().monotonicMs }))?.containers ?? [],
    later: (ms: number) => {
      memory.advance(ms)
      moment = 't1'
    },
  }
}

const byName = (containers: readonly ContainerSample[]) => new Map(containers.map((one) => [one.name, one]))

type Recorded = { readonly label: string; readonly stdout_hex: string }

function recordedContainers(recording: string, label: string): ReadonlyMap<string, ContainerSample> {
  const { samples } = readRecording<{ samples: readonly Recorded[] }>(`agent/docker/synthetic/${recording}.json`)
  const item = decodeCbor(fromHex(samples.find((one) => one.label.startsWith(label))?.stdout_hex ?? ''), nodeUtf8)
  assert.ok(item.ok)
  const envelope = decodeEnvelope(item.value, 'document')
  assert.ok(envelope.ok && envelope.reply.kind === 'document')
  const document = decodeDocument(envelope.reply.document)
  assert.ok(document.ok)
  return byName(document.sample.containers ?? [])
}

/** Two containers whose memory the recorded agent took from another container's response. */
const wrongThere = ['badmem', 'cachekey']
/** A container that the recorded agent leaves out because of its memory; its other counters are good. */
const rejectedThere = ['cachegtusage']

for (const [kind, version] of [
  ['docker', 'head'],
  ['docker', '0.18.8'],
  ['podman', 'head'],
  ['podman', '0.18.8'],
] as const) {
  test(`containersCollector computes from recorded ${kind} responses the same values as agent ${version}`, async () => {
    const engine = engineAt(`synthetic-${kind}`)
    await engine.read(1000)
    engine.later(5000)
    const own = byName(await engine.read(1000))
    const recorded = recordedContainers(`${kind}-${version}`, '1000 ms, second')
    assert.deepEqual([...own.keys()].toSorted(), [...recorded.keys()].toSorted())
    for (const [name, expected] of recorded) {
      const one = own.get(name)
      assert.ok(one !== undefined)
      assert.deepEqual(wordsOf(one), wordsOf(expected), name)
      if (!wrongThere.includes(name)) assert.equal(mebibytes(one.memoryBytes), mebibytes(expected.memoryBytes), name)
      if (!rejectedThere.includes(name)) compareRates(one, expected)
    }
  })
}

const wordsOf = ({ id, image, status, health, ports }: ContainerSample) => [id, image, status, health, ports]

/** The recorded agent sends 0 where this agent has `undefined`. */
function compareRates(own: ContainerSample, expected: ContainerSample): void {
  const of = ({ cpuPercent = 0, sentBytesPerSecond = 0, receivedBytesPerSecond = 0 }: ContainerSample) => ({
    cpuPercent,
    sentBytesPerSecond,
    receivedBytesPerSecond,
  })
  const [a, b] = [of(own), of(expected)]
  assert.ok(Math.abs(a.cpuPercent - b.cpuPercent) <= 0.01, `${own.name}: ${a.cpuPercent}`)
  near(a.sentBytesPerSecond, b.sentBytesPerSecond, own.name)
  near(a.receivedBytesPerSecond, b.receivedBytesPerSecond, own.name)
}

const mebibytes = (bytes: number | undefined) => Math.round((bytes ?? 0) / 10_485.76)

function near(actual: number, expected: number, what: string): void {
  assert.ok(Math.abs(actual - expected) <= Math.max(expected * 0.03, 1), `${what}: ${actual} instead of ${expected}`)
}

test('containersCollector reads each container from its own response: memory stays unknown if that response lacks it', async () => {
  const containers = byName(await engineAt('synthetic-docker').read(1000))
  assert.equal(containers.get('badmem')?.memoryBytes, undefined)
  assert.equal(containers.get('cachegtusage')?.memoryBytes, undefined)
  assert.equal(mebibytes(containers.get('cachekey')?.memoryBytes), 3815)
})

test('containersCollector reports no CPU share on the first reading, after a restart or reset, or beyond 100 %', async () => {
  const engine = engineAt('synthetic-docker')
  const first = await engine.read(1000)
  assert.ok(first.every(({ cpuPercent, sentBytesPerSecond }) => cpuPercent === undefined && sentBytesPerSecond === undefined))
  engine.later(5000)
  const second = byName(await engine.read(1000))
  for (const name of ['restarted', 'backward', 'over100']) assert.equal(second.get(name)?.cpuPercent, undefined, name)
  assert.equal(second.get('netback')?.sentBytesPerSecond, undefined)
  assert.equal(second.get('zero')?.cpuPercent, 0)
})

test('bug class 24: containersCollector does not divide by zero when two responses of the engine are equal', async () => {
  const engine = engineAt('synthetic-docker')
  for (const waitMs of [0, 5000, 0, 5000]) {
    engine.later(waitMs)
    for (const one of await engine.read(1000)) {
      const numbers = Object.values(one).filter((value) => typeof value === 'number')
      assert.ok(
        numbers.every((value) => Number.isFinite(value) && value >= 0),
        one.name,
      )
    }
  }
})

test('containersCollector omits excluded containers and never requests their counters', async () => {
  const engine = engineAt('synthetic-docker', ['un*', 'plain'])
  const names = (await engine.read(1000)).map(({ name }) => name)
  assert.ok(!names.includes('plain') && !names.includes('unhealthy') && names.includes('healthy'))
  assert.ok(engine.asked.every((path) => !path.includes('010101010101')))
})

test('engineFacts reads the facts about the machine that runs the engine', async () => {
  assert.deepEqual(await engineFacts(engineAt('synthetic-podman').client), {
    kernel: '6.12.38+deb13-amd64',
    osName: 'debian',
    threads: 4,
    totalMemoryBytes: 16_694_710_272,
    podman: true,
  })
  assert.deepEqual(await engineAt('synthetic-docker').client.kind(), { podman: false, majorVersion: 27 })
})
