import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ContainerSample } from '@vedette/protocol/metrics/sample'
import { readRecording } from '../../../../protocol/test/recorded.ts'
import { createLoop } from '../../runtime/deadline.ts'
import { memoryRuntime } from '../../runtime/memory-runtime.ts'
import { procSource } from '../../source/proc-source.ts'
import { byteTools } from '../../runtime/node/byte-tools.ts'
import { engineClient } from './client.ts'
import { containersCollector } from './containers.ts'

const usualRoots = { proc: '/proc', sys: '/sys', etc: '/etc' }

/** Samples of real agents against a real engine, with every request to the engine and its response. */
type Call = {
  readonly path: string
  readonly status: number
  readonly response_headers: { readonly server?: string }
  readonly answered_at_ms: number
  readonly body_text: string
}
type Numbers = Readonly<Record<string, number | string | readonly number[]>>
type Document = { readonly decoded: unknown }
type Recording = {
  readonly engine_calls_before_first_request?: readonly Call[]
  readonly samples: readonly { readonly label: string; readonly engine_calls: readonly Call[]; readonly documents: readonly Document[] }[]
}

/** JSON documents have words as keys, CBOR documents numbers. Envelopes hold the document under key 1. */
function recordedContainers(document: Document | undefined): readonly Numbers[] {
  const decoded = (document?.decoded ?? {}) as Record<string, unknown>
  const inner = ('2' in decoded || 'container' in decoded ? decoded : decoded['1']) as Record<string, unknown>
  return (inner['2'] ?? inner['container']) as readonly Numbers[]
}

for (const version of ['0.2.0', '0.9.1', '0.11.1', '0.12.12', '0.17.0', '0.18.8', 'head']) {
  test(`containersCollector computes from a real engine's responses the sample that agent ${version} sent`, async () => {
    const recording = readRecording<Recording>(`agent/docker/${version}.json`)
    let calls: readonly Call[] = []
    const memory = memoryRuntime({
      files: {},
      bytes: byteTools,
      answer: ({ path }) => {
        // The recorded agent used the last response of a repeated request.
        const call = calls.findLast((one) => one.path === path)
        const body = byteTools.utf8(call?.body_text ?? '{"message":"not recorded"}')
        return { kind: 'answer', status: call?.status ?? 404, headers: [['server', call?.response_headers.server ?? '']], body }
      },
    })
    const parts = { runtime: memory.runtime, loop: createLoop(memory.runtime), source: procSource(memory.runtime, usualRoots) }
    const engine = engineClient(parts, () => ({ kind: 'unix', path: '/run/engine.sock' }), 2100)
    const collector = containersCollector({ ...parts, engine }, { exclude: [], budgetMs: 4000 })
    const read = async (consumer: number) =>
      (await collector.collect({ consumer, atMs: memory.runtime.clock().monotonicMs }))?.containers ?? []
    const seen = new Set<number>()
    let comparedRates = 0
    for (const { label, engine_calls, documents } of recording.samples) {
      calls = [...(recording.engine_calls_before_first_request ?? []), ...engine_calls]
      const consumer = label.startsWith('60000') ? 60_000 : 1000
      memory.advance(Math.max(...engine_calls.map(({ answered_at_ms }) => answered_at_ms)) - memory.runtime.clock().monotonicMs)
      const own = await read(consumer)
      const recorded = recordedContainers(documents[0])
      assert.equal(own.length, recorded.length)
      for (const one of recorded) {
        const [name, cpu, memory] = [String(one['n'] ?? one['0']), Number(one['c'] ?? one['1']), Number(one['m'] ?? one['2'])]
        const same = own.find((container) => container.name === name)
        assert.ok(same !== undefined, name)
        assert.equal(Math.round((same.memoryBytes ?? 0) / 10_485.76), Math.round(memory * 100), `${label}: memory of ${name}`)
        compareWords(same, one)
        if (!seen.has(consumer)) continue
        comparedRates++
        assert.ok(Math.abs((same.cpuPercent ?? 0) - cpu) <= 0.011, `${label}: CPU of ${name}: ${same.cpuPercent} for ${cpu}`)
        compareTraffic(same, one)
      }
      seen.add(consumer)
    }
    assert.ok(comparedRates >= 6)
  })
}

function compareWords({ id, image, status, health, ports }: ContainerSample, recorded: Numbers): void {
  if (recorded['7'] !== undefined) assert.deepEqual([id, image, status], [recorded['7'], recorded['8'], recorded['6']])
  if (recorded['5'] !== undefined) assert.equal(health, ['none', 'starting', 'healthy', 'unhealthy'][Number(recorded['5'])])
  if (recorded['10'] !== undefined) assert.equal(ports, recorded['10'])
}

function compareTraffic({ name, sentBytesPerSecond = 0, receivedBytesPerSecond = 0 }: ContainerSample, recorded: Numbers): void {
  const expected = recorded['9']
  if (!Array.isArray(expected)) return
  // Each recorded agent used its own clock, and the requests of one sample ended up to a second apart.
  for (const [own, other] of [
    [sentBytesPerSecond, Number(expected[0])],
    [receivedBytesPerSecond, Number(expected[1])],
  ] as const) {
    assert.ok(Math.abs(own - other) <= other * 0.05, `${name}: ${own} for ${other}`)
  }
}

test("bug class 7: a container in the machine's network says so and has no traffic", async () => {
  const recording = readRecording<Recording>('agent/docker/head.json')
  const calls = [...(recording.engine_calls_before_first_request ?? []), ...(recording.samples[0]?.engine_calls ?? [])]
  const memory = memoryRuntime({
    files: {},
    bytes: byteTools,
    answer: ({ path }) => {
      const call = calls.find((one) => one.path === path)
      return { kind: 'answer', status: call?.status ?? 404, headers: [], body: byteTools.utf8(call?.body_text ?? '') }
    },
  })
  const parts = { runtime: memory.runtime, loop: createLoop(memory.runtime), source: procSource(memory.runtime, usualRoots) }
  const engine = engineClient(parts, () => ({ kind: 'unix', path: '/run/engine.sock' }), 2100)
  const collector = containersCollector({ ...parts, engine }, { exclude: [], budgetMs: 4000 })
  const containers = (await collector.collect({ consumer: 1000, atMs: 0 }))?.containers ?? []
  assert.deepEqual(Object.fromEntries(containers.map(({ name, networkOf }) => [name, networkOf])), {
    web: undefined,
    idle: 'host',
    worker: undefined,
  })
})
