import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { databases } from '../databases.ts'
import { readVector, recordedHub, type RecordedHub } from '../recorded-hub.ts'
import { assertLike, keep, newSaved, send, type Saved, type Step } from '../recorded-step.ts'

type Frame = { readonly event: string; readonly data: Json }
type ScenarioStep = Omit<Step, 'response'> & {
  readonly do: string
  readonly stream?: string
  readonly subscriptions?: readonly string[]
  readonly alias?: string
  readonly identity?: string
  readonly password?: string
  readonly result: { readonly status?: number; readonly body?: Json; readonly events?: readonly Frame[]; readonly first?: Json }
}
type Recording = { readonly scenarios: readonly { readonly scenario: string; readonly steps: readonly ScenarioStep[] }[] }

for (const kind of databases) {
  for (const { scenario, steps } of (readVector('realtime.json') as Recording).scenarios) {
    test(`${kind.name}: event streams as recorded: ${scenario}`, async (t) => {
      await using hub = await recordedHub(kind)
      const saved = newSaved()
      const streams = new Map<string, Listener>()
      for (const [at, step] of steps.entries()) {
        const called = `${scenario}: ${step.do} ${step.as ?? ''} ${step.path ?? step.stream ?? ''}`
        await t.test(`${at}: ${called}`, () => perform(hub, step, { saved, streams }))
      }
      for (const listener of streams.values()) await listener.stop()
    })
  }
}

type Run = { readonly saved: Saved; readonly streams: Map<string, Listener> }

type Perform = (hub: RecordedHub, step: ScenarioStep, run: Run) => Promise<void>

/** Systems whose status changed spontaneously during the recording. */
const restless = ['sys000000000001', 'sys000000000004', 'sys000000000010', 'sys000000000017']

const performers: Readonly<Record<string, Perform>> = {
  async connect(hub, step, { streams }) {
    const response = await hub.app.fetch(new Request('http://hub/api/realtime'))
    assert.equal(response.headers.get('content-type'), 'text/event-stream')
    assert.equal(response.headers.get('cache-control'), 'no-store')
    streams.set(step.stream ?? '', await listen(response))
  },
  async close(_hub, step, { streams }) {
    await streams.get(step.stream ?? '')?.stop()
  },
  async login(hub, step, { saved }) {
    const path = '/api/collections/users/auth-with-password'
    const json = { identity: step.identity ?? '', password: step.password ?? '' }
    const response = await send(hub, { method: 'POST', path, json, response: { status: 200 } }, saved)
    const { token } = (await response.json()) as { token: string } // the response of a sign-in
    saved.tokens.set(step.alias ?? '', token)
  },
  async subscribe(hub, step, run) {
    const id = run.streams.get(step.stream ?? '')?.id ?? ''
    const json = { clientId: id, subscriptions: (step.subscriptions ?? []).map((one) => filled(one, run)) }
    const response = await send(hub, { ...step, method: 'POST', path: '/api/realtime', json, response: { status: 0 } }, run.saved)
    assert.equal(response.status, step.result.status, await response.text())
  },
  async call(hub, recorded, run) {
    const step = JSON.parse(filled(JSON.stringify(recorded), run)) as ScenarioStep // as it was
    if (isMeasurement(step)) return measure(hub, step)
    const response = await send(hub, { ...step, response: { status: 0 } }, run.saved)
    const text = await response.text()
    assert.equal(response.status, step.result.status, text)
    // Responses to calls of the records API are compared with their own recordings.
    if (step.path === '/api/realtime' && step.result.body !== undefined) assertLike(JSON.parse(text) as Json, step.result.body, run.saved)
    if (text !== '') keep({ ...step, response: { status: 0 } }, JSON.parse(text) as Json, run.saved)
  },
  async events(hub, step, { streams, saved }) {
    await hub.realtime.settled()
    const frames = (await streams.get(step.stream ?? '')?.take()) ?? []
    const actual = frames.filter(isSteady).map(({ event, data }) => ({ event, sameId: true, data }))
    const expected = (step.result.events ?? []).filter(isTold)
    assert.equal(actual.length, expected.length, JSON.stringify(actual))
    for (const frame of expected) {
      const same = actual.some((one) => looksLike(one, frame, saved))
      assert.ok(same, `${JSON.stringify(frame)} is not among ${JSON.stringify(actual)}`)
    }
  },
}

/**
 * Whether a step creates statistics, as the recorded hub's admin could. In our hub only agents create them; subscribers get the same
 * events.
 */
function isMeasurement({ as, method, path }: ScenarioStep): boolean {
  return as === 'super' && (method === 'POST' || method === 'PATCH') && /\/(system|container)_stats\/records/.test(path)
}

async function measure(hub: RecordedHub, { path, json = {} }: ScenarioStep): Promise<void> {
  const [, collection = '', id] = /collections\/(\w+)\/records(?:\/(\w+))?$/.exec(path) ?? []
  const known = id === undefined ? undefined : await hub.engine.sources.get(collection)?.loadOne(id)
  const now = new Date().toISOString().replace('T', ' ')
  const record = { created: now, updated: now, ...known, ...(isObject(json) ? json : {}), id: id ?? 'measured0000001' }
  hub.test.bus.publish({ action: id === undefined ? 'create' : 'update', collection, record })
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

async function perform(hub: RecordedHub, step: ScenarioStep, run: Run): Promise<void> {
  const performer = performers[step.do]
  assert.ok(performer, `no such step: ${step.do}`)
  await performer(hub, step, run)
}

function isSteady({ data }: Frame): boolean {
  const { record } = data as { record?: { id?: string; system?: string } } // an event's data
  return !restless.includes(record?.id ?? '') && !restless.includes(record?.system ?? '')
}

/** Statistics are not records of their own, so deleting a system publishes no event for each of them. */
function isTold({ event, data }: Frame): boolean {
  if (isObject(data) && data['action'] !== 'delete') return true
  return !event.startsWith('system_stats/') && !event.startsWith('container_stats/')
}

function looksLike(actual: Json, expected: Json, saved: Saved): boolean {
  try {
    assertLike(actual, expected, saved)
    return true
  } catch {
    return false
  }
}

function filled(text: string, { streams, saved }: Run): string {
  return text
    .replaceAll(/\{\{client:(\w+)\}\}/g, (_, name: string) => streams.get(name)?.id ?? '')
    .replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => saved.ids.get(name) ?? whole)
}

type Listener = { readonly id: string; readonly take: () => Promise<readonly Frame[]>; readonly stop: () => Promise<void> }

async function listen(response: Response): Promise<Listener> {
  assert.ok(response.body)
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let pending = reader.read()
  const first = decoder.decode((await pending).value)
  pending = reader.read()
  const id = /^id:(.+)$/m.exec(first)?.[1] ?? ''
  assert.match(first, /^event:PB_CONNECT\ndata:\{"clientId":/m)
  return {
    id,
    async take() {
      // The hub has settled, so all frames are already sent. One turn of the event loop lets the stream deliver them.
      for (;;) {
        const read = await Promise.race([pending, new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)))])
        if (read === undefined || read.done) break
        text += decoder.decode(read.value)
        pending = reader.read()
      }
      const frames = text.split('\n\n').filter((frame) => frame.includes('event:'))
      text = ''
      return frames.map((frame) => {
        assert.equal(/^id:(.+)$/m.exec(frame)?.[1], id)
        return { event: /^event:(.+)$/m.exec(frame)?.[1] ?? '', data: JSON.parse(/^data:(.+)$/m.exec(frame)?.[1] ?? 'null') as Json }
      })
    },
    stop: () => reader.cancel(),
  }
}
