import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { databases, machinesPostgres, type TestDatabaseKind } from '../databases.ts'
import { contraryTo, isPageForNowhere } from '../recorded-contradictions.ts'
import { inTodaysWords } from '../recorded-generations.ts'
import { readVector, recordedHub, TARPIT, type RecordedHub } from '../recorded-hub.ts'
import { deviationOf, lineOf } from '../recorded-exceptions.ts'
import { assertLike, keep, newSaved, send, type Saved, type Step } from '../recorded-step.ts'

type Group = { readonly group: string; readonly steps: readonly Step[] }
type Recording = { readonly groups: readonly Group[] }

type Replayed = {
  readonly file: string
  /** Recordings whose groups all run on one empty hub, instead of each on the data set. */
  readonly unused?: true
  /** Recorded from the early generation: a response may have additional keys, and its messages are the current ones. */
  readonly early?: true
}

const recordings: readonly Replayed[] = [
  { file: 'spec-calls' },
  { file: 'basics' },
  { file: 'records' },
  { file: 'auth' },
  { file: 'batch' },
  { file: 'admin' },
  { file: 'hub' },
  { file: 'first-run', unused: true },
  { file: 'hub-0.2.0', unused: true, early: true },
]

for (const recording of recordings) {
  const { groups } = readVector(`${recording.file}.json`) as Recording
  for (const kind of databases) {
    if (recording.unused === true) {
      test(`${kind.name}: gets the recorded responses: ${recording.file}`, async (t) => {
        await using hub = await recordedHub(kind, 'unused')
        const saved = newSaved()
        for (const group of groups) await replay(t, { hub, saved, recording }, group)
      })
      continue
    }
    for (const group of groups) {
      test(`${kind.name}: gets the recorded responses: ${recording.file}, ${group.group}`, async (t) => {
        await using hub = await recordedHub(whereItCanBeDone(group.group, kind))
        await replay(t, { hub, saved: newSaved(), recording }, group)
      })
    }
  }
}

/** Backups of PostgreSQL need client programs that fit the server. */
const whereItCanBeDone = (group: string, kind: TestDatabaseKind): TestDatabaseKind =>
  (group === 'backups' && kind.name === 'postgres' ? machinesPostgres() : undefined) ?? kind

/** The port at which nothing listened during the recording. */
const CLOSED_PORT = '45876'

type Run = { readonly hub: RecordedHub; readonly saved: Saved; readonly recording: Replayed }

async function replay(t: TestContext, run: Run, { group, steps }: Group): Promise<void> {
  const { hub, saved, recording } = run
  const refused: Json[] = []
  // Another test replays event streams.
  for (const [at, step] of steps.filter((one) => 'response' in one).entries()) {
    // The recorded hub had dialled in between.
    if (recording.early === true && step.method === 'GET') await hub.nobodyAt(CLOSED_PORT)
    const answer = await answerTo(hub, step, saved)
    keep(step, answer.body, saved)
    if (recording.early === true) await settle(hub, saved, { step, ...answer })
    if (wasMade(step) && !answer.response.ok) refused.push(step.json ?? null)
    const asToday = recording.early === true ? inTodaysWords(withoutRefused(step, refused), answer.body) : step
    const called = `${group} ${at}: ${step.as ?? 'guest'} ${step.method} ${step.path}`
    await judge(t, called, {
      recording,
      step,
      line: lineOf(recording.file, group, step),
      answer,
      saved,
      check: () => compare(answer, asToday, saved),
    })
  }
}

type Judged = {
  readonly recording: Replayed
  readonly step: Step
  readonly line: string
  readonly answer: Answer
  readonly saved: Saved
  /** Throws if the response differs from the recorded one. */
  readonly check: () => void
}

async function judge(t: TestContext, called: string, { recording, step, line, answer, saved, check }: Judged): Promise<void> {
  const deviation = deviationOf(line)
  if (deviation !== undefined) {
    t.diagnostic(`${called} (${deviation})`)
    await t.test(`${called}: must differ from the recorded response`, () => assert.throws(check))
    return
  }
  const contrary = contraryTo(recording.early === true ? 'early' : 'today', step)
  if (contrary.length === 0 || holds(check)) {
    await t.test(called, check)
    return
  }
  t.diagnostic(`${called} (as the other generation)`)
  // All pages for unknown addresses are one contradiction.
  asTheOther.add(isPageForNowhere(step) ? 'pages for unknown addresses' : line)
  await t.test(`${called}: gets the response of the other generation`, () => {
    const wrong = contrary.map((other) => complaintOf(() => compareWithOther(answer, other, recording.early !== true, saved)))
    assert.ok(wrong.includes(undefined), wrong.join('\n'))
  })
}

function wasMade({ method, json = null, response: { status } }: Step): boolean {
  return method === 'POST' && status === 200 && isObject(json)
}

/** Responses that follow one generation where the recordings of both contradict each other. */
const asTheOther = new Set<string>()
const MOST_AS_THE_OTHER = 40

test('few responses follow the generation that is not replayed where the recordings contradict each other', () => {
  assert.ok(asTheOther.size <= MOST_AS_THE_OTHER, [...asTheOther].join('\n'))
})

const holds = (check: () => void): boolean => complaintOf(check) === undefined

function complaintOf(check: () => void): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof assert.AssertionError) return error.message
    throw error
  }
}

async function answerTo(hub: RecordedHub, step: Step, saved: Saved): Promise<Answer> {
  const response = await send(hub, step, saved)
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true && text !== ''
  if (isJson) return { response, body: JSON.parse(text) as Json } // a parsed response is JSON
  return { response, body: response.headers.get('content-type')?.startsWith('text/plain') === true && text !== '' ? text : null }
}

/**
 * Restores the recorded state for the next steps. It deletes records that were refused then and are accepted today, and writes the
 * measurements that an admin could create then and only agents can today.
 */
async function settle(hub: RecordedHub, saved: Saved, { step, response, body }: Answer & { readonly step: Step }): Promise<void> {
  if (step.method !== 'POST') return
  const [, collection = ''] = /collections\/(\w+_stats)\/records$/.exec(step.path) ?? []
  const json = step.json ?? null
  if (collection !== '' && step.response.status === 200 && isObject(json)) hub.measured(collection, { ...json, id: String(json['id']) })
  if (step.response.status < 400 || !response.ok || !isObject(body) || typeof body['id'] !== 'string') return
  await send(hub, { as: 'admin', method: 'DELETE', path: `${step.path}/${body['id']}`, response: { status: 204 } }, saved)
}

/** Returns a recorded list without records that can no longer be created. */
function withoutRefused(step: Step, refused: readonly Json[]): Step {
  const { body = null } = step.response
  if (!isObject(body) || !Array.isArray(body['items'])) return step
  const isOne = (item: Json, made: Json): boolean =>
    isObject(item) &&
    isObject(made) &&
    item['id'] === '<id>' &&
    Object.entries(item).every(([name, value]) => name === 'id' || made[name] === value)
  const items = body['items'].filter((item: Json) => !refused.some((made) => isOne(item, made)))
  return { ...step, response: { ...step.response, body: { ...body, items } } }
}

type Answer = { readonly response: Response; readonly body: Json }

/**
 * Compares with the same request to the other generation, which had other records. Only the form of successful responses is
 * comparable.
 */
function compareWithOther({ response, body }: Answer, other: Step, isEarly: boolean, saved: Saved): void {
  const { response: recorded } = isEarly ? inTodaysWords(other, body) : other
  assert.equal(response.status, recorded.status)
  const expected = recorded.body ?? null
  if (recorded.status >= 400) assertLike(body, expected, saved)
  else assertSameForm(body, expected, 'the body')
}

/** Checks that fields of both have the same type. A request names its own fields, and either list may be empty. */
function assertSameForm(actual: Json, expected: Json, where: string): void {
  assert.equal(Array.isArray(actual), Array.isArray(expected), where)
  assert.equal(typeof actual, typeof expected, where)
  if (Array.isArray(actual) && Array.isArray(expected)) {
    const [one, other] = [actual[0], expected[0]]
    if (one !== undefined && other !== undefined) assertSameForm(one, other, `${where}[0]`)
  } else if (isObject(actual) && isObject(expected))
    for (const [name, value] of Object.entries(expected)) {
      const own = actual[name]
      if (own !== undefined) assertSameForm(own, value, `${where}.${name}`)
    }
}

function compare({ response, body }: Answer, step: Step, saved: Saved): void {
  assert.equal(response.status, step.response.status, JSON.stringify(body))
  for (const [name, value] of Object.entries(step.response.headers ?? {})) {
    // The content encoding belongs to the connection and may differ.
    if (name === 'content-encoding') continue
    const told = response.headers.get(name) ?? ''
    for (const part of value.split(', ')) assert.ok(told.includes(part), `${name}: ${told}`)
  }
  if (step.statusOnly !== true && step.response.type !== undefined && step.response.type !== '')
    assert.equal((response.headers.get('content-type') ?? '').split(';')[0], step.response.type)
  if (step.response.body !== undefined) assertLike(inAnyOrder(step, shortened(step, body)), inAnyOrder(step, step.response.body), saved)
}

/** Shortens a body like its recording: to some paths, without some keys, or to the types of its values. */
function shortened(step: Step, body: Json): Json {
  const { pick, strip, bodyOnly } = step
  if (pick !== undefined) return pick.map((path) => picked(body, path.split('.'))).reduce(both, {})
  if (strip !== undefined && Array.isArray(body)) return body.map((one: Json) => without(one, strip))
  if (bodyOnly === 'shape' && isObject(body))
    return Object.fromEntries(Object.entries(body).flatMap(([key, value]) => (key === 'code' ? [] : [[key, typeof value]])))
  return body
}

function picked(body: Json, [first = '', ...rest]: readonly string[]): Json {
  if (!isObject(body) || body[first] === undefined) return {}
  return { [first]: rest.length === 0 ? body[first] : picked(body[first], rest) }
}

function both(one: Json, other: Json): Json {
  if (!isObject(one) || !isObject(other)) return other
  return { ...one, ...Object.fromEntries(Object.entries(other).map(([key, value]) => [key, both(one[key] ?? {}, value)])) }
}

function without(value: Json, keys: readonly string[]): Json {
  return isObject(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key))) : value
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A list without a sort has no defined order. */
function inAnyOrder(step: Step, body: Json): Json {
  if (step.path.includes('sort=') || !isObject(body) || !Array.isArray(body['items'])) return body
  const key = (item: Json): string => JSON.stringify(item, ['id', 'name', 'port', 'users', 'system', 'user']).replaceAll(TARPIT, '<tarpit>')
  return { ...body, items: body['items'].toSorted((a: Json, b: Json) => (key(a) < key(b) ? -1 : 1)) }
}
