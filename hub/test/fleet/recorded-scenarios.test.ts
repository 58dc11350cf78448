import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardDeadlines } from '../../src/fleet/session/deadlines.ts'
import { databases } from '../databases.ts'
import { BINARY, fragments, rawAgent, TEXT, type Leaving, type RawFrame } from '../raw-frames.ts'
import { readLinkVector } from '../recorded-link.ts'
import { fleetOn, shortDeadlines, type RunningFleet } from '../running-fleet.ts'
import { storedSamples } from '../stored-samples.ts'

type Event = {
  readonly ms: number
  readonly from?: 'hub' | 'agent'
  readonly frame?: string
  readonly note?: string
  readonly payload_hex?: string
  readonly event?: string
}
type Scenario = { readonly scenario: string; readonly status?: readonly string[]; readonly events?: readonly Event[] }
type Recording = { readonly hub: string; readonly scenarios: readonly Scenario[] }

const MEBIBYTE = 1024 * 1024
const binary = (payload: Uint8Array): RawFrame => ({ opcode: BINARY, payload })
const text = (content: string): RawFrame => ({ opcode: TEXT, payload: Buffer.from(content) })

/** Adds a long member under an unknown key, after the existing two. */
function withLongMember(reply: Uint8Array, bytes: number): Uint8Array {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes)
  const [map = 0] = reply
  return Buffer.concat([Buffer.of(map + 1), reply.subarray(1), Buffer.of(0x18, 0x64, 0x5a), length, Buffer.alloc(bytes)])
}

/** Frames that were recorded by description, not by bytes. They are made from the correct reply. */
const described: Readonly<Record<string, (good: Uint8Array) => readonly RawFrame[]>> = {
  'reply: document as text frame': () => [text('{"stats":{},"info":{},"container":[]}')],
  'reply: text frame': () => [text('hello')],
  'reply: text frame, then the reply': (good) => [text('hello'), binary(good)],
  'reply: invalid UTF-8 in a text frame': () => [{ opcode: TEXT, payload: Buffer.from('fffe', 'hex') }],
  'reply: reserved opcode 3': (good) => [{ opcode: 3, payload: good }],
  'reply: unmasked frame': (good) => [{ opcode: BINARY, payload: good, masked: false }],
  'reply: reply in three fragments': (good) => fragments(good, 3),
  'reply: reply of 15 MiB': (good) => [binary(withLongMember(good, 15 * MEBIBYTE))],
  'reply: reply of 17 MiB': (good) => [binary(withLongMember(good, 17 * MEBIBYTE))],
}

/** Scenarios with another result in our hub, and why it is better. */
const onPurpose: Readonly<Record<string, readonly [ours: 'up' | 'down', why: string]>> = {
  'reply: trailing bytes after the document': ['up', 'the document is whole; over SSH real hubs take it too'],
  'auth: regular token, empty fingerprint in reply': ['down', 'a machine without a fingerprint would leave the token open to any other'],
}

/** Scenarios that take minutes, users or two connections. Each has its own test, listed by name. */
const elsewhere: Readonly<Record<string, string>> = {
  cadence: 'system-monitor.test.ts',
  'eight connections: times of the data requests after the upgrade': 'system-monitor.test.ts',
  'agent reconnects within 2 s': 'fleet.test.ts',
  'agent silent after data, 80 s': 'websocket-agents.test.ts: a reply never',
  'reply: second data reply after 6 s': 'websocket-agents.test.ts: a reply never',
  'close: hub shutdown': 'websocket-agents.test.ts: a hub that stops says so',
  'close: fingerprint mismatch': 'fleet.test.ts',
  'close: second connection with another fingerprint while the first is up': 'fleet.test.ts',
  'close: second connection, same token and fingerprint': 'websocket-agents.test.ts: two machines with one fingerprint',
  'close: system deleted': 'fleet.test.ts: a deleted one for good',
  'close: token of the system changed': 'websocket-agents.test.ts: its token is rotated',
  'fingerprint of the system cleared': 'websocket-agents.test.ts: its fingerprint is cleared',
  'connecting while paused': 'fleet.test.ts: a paused system is left alone',
  'paused and resumed': 'fleet.test.ts: a paused system is left alone until it is resumed',
  'paused, agent never answers pings': 'keep-alive.test.ts',
  'live data of a paused system': 'live.test.ts',
  'live data, agent stops answering': 'live.test.ts',
  'interactive requests': 'agent-endpoints.test.ts',
  'interactive requests over SSH': 'agent-endpoints.test.ts',
  'interactive requests, answers after 6 s': 'agent-endpoints.test.ts',
  'interactive requests, answers in k=7': 'agent-endpoints.test.ts',
  'interactive requests, error replies': 'agent-endpoints.test.ts',
}

const recordings = [
  { version: '0.18.8', recording: readLinkVector('hub-link/ws/head/scenarios.json') as Recording }, // the shape of the recording
  { version: '0.12.12', recording: readLinkVector('hub-link/ws/0.12.12/scenarios.json') as Recording },
] as const

/** The system's status in the recorded hub: the first one that is neither new nor paused. */
const verdict = ({ status = [] }: Scenario): string | undefined =>
  status.map((entry) => entry.split(' ')[0]).find((state) => state === 'up' || state === 'down')

const ours = (scenario: Scenario): string | undefined => onPurpose[scenario.scenario]?.[0] ?? verdict(scenario)

/** Long timeouts for a valid response, which may have 15 MiB; short ones where none arrives. */
const deadlinesFor = { up: { ...standardDeadlines, reconnectGraceMs: 5, secondTryMs: 5 }, down: shortDeadlines } as const

/** The recorded hub had reached its timeout before the response arrived. */
const gaveUp = ({ events = [] }: Scenario, atMs: number): boolean =>
  events.some(({ from, frame, ms }) => from === 'hub' && frame === 'close' && ms < atMs)

/** The agent's frames, by the hub's request that they followed. */
function answersOf(scenario: Scenario): readonly (readonly RawFrame[])[] {
  const answers: RawFrame[][] = []
  for (const { from, frame, ms, payload_hex: payload } of scenario.events ?? []) {
    if (from === 'hub' && frame === 'binary') answers.push([])
    if (from === 'agent' && payload !== undefined && !gaveUp(scenario, ms)) answers.at(-1)?.push(binary(Buffer.from(payload, 'hex')))
  }
  return answers
}

const replayed = ({ scenario }: Scenario): boolean => !(scenario in elsewhere)
const leaving = ({ scenario }: Scenario): Leaving | undefined =>
  scenario.startsWith('agent ends: ') ? (scenario.slice('agent ends: '.length) as Leaving) : undefined // its five names

for (const { version, recording } of recordings) {
  const good = Buffer.from(
    recording.scenarios.find(({ scenario }) => scenario === 'reply: reply twice')?.events?.find(({ note }) => note === 'duplicate')
      ?.payload_hex ?? '',
    'hex',
  )

  async function replay(fleet: RunningFleet, scenario: Scenario, token: string): Promise<void> {
    const system = await fleet.addSystem({ host: '127.0.0.1', port: '1' })
    await fleet.addToken(system.id, token)
    const answers = answersOf(scenario)
    const onRequest = (index: number): readonly RawFrame[] =>
      index === 1 && scenario.scenario in described ? (described[scenario.scenario]?.(good) ?? []) : (answers[index] ?? [])
    const agent = await rawAgent({ url: fleet.url, token, version, onRequest })
    const expected = ours(scenario)
    if (expected === 'up') await fleet.status(system.id, 'up')
    else await agent.ended
    const how = leaving(scenario)
    if (how !== undefined) {
      agent.leave(how)
      await fleet.status(system.id, 'down')
    }
    const stored = await storedSamples(fleet.history, 'system', system.id)
    assert.deepEqual(
      stored.map(({ values }) => values['cpu.busyPercent']),
      expected === 'up' ? [12.5] : [],
    )
    agent.leave('TCP reset')
    await fleet.remove(system.id)
  }

  for (const kind of databases) {
    test(`${kind.name}: recorded scenarios of agents ${version} end with the recorded status`, { timeout: 600_000 }, async (t) => {
      for (const [state, deadlines] of Object.entries(deadlinesFor)) {
        await using fleet = await fleetOn(kind, deadlines)
        for (const [index, scenario] of recording.scenarios.filter((one) => replayed(one) && ours(one) === state).entries()) {
          await t.test(scenario.scenario, () => replay(fleet, scenario, `token-${index}`))
        }
      }
    })
  }

  test(`every recorded scenario of agents ${version} is replayed or has its own test`, () => {
    const known = recording.scenarios.filter((one) => replayed(one) && verdict(one) === undefined)
    assert.deepEqual(
      known.map(({ scenario }) => scenario),
      [],
    )
  })
}
