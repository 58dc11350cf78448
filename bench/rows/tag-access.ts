import { performance } from 'node:perf_hooks'
import { scratchFolder } from '../../e2e/programs.ts'
import { accessOf } from '../../hub/src/records/engine/access.ts'
import type { Engine } from '../../hub/src/records/engine/engine.ts'
import { collectionsOf, type Collection } from '../../hub/src/records/model/collection.ts'
import { listAsJson } from '../../hub/src/records/reading/query.ts'
import { eventTextsOf, viewOf } from '../../hub/src/records/realtime/realtime-views.ts'
import type { Figure, Row } from '../row.ts'
import { quantile } from '../steady-state.ts'
import { ACCOUNTS, GROUPS, SYSTEMS, TAGS, taggedFleet, type TaggedFleet } from '../tagged-fleet.ts'

const REQUESTS = 300
const EVENTS = 600
const WARM_UP = 100

const RULE_WITHOUT_TAGS = '@request.auth.id != "" && users.id ?= @request.auth.id'

/**
 * Returns the database collection `systems` with the access rules for list and view that it had before users could see systems through
 * tags. Any other collection is returned unchanged. For comparison in a benchmark.
 */
const withoutTags = (collection: Collection): Collection =>
  collection.name === 'systems'
    ? { ...collection, rules: { ...collection.rules, list: RULE_WITHOUT_TAGS, view: RULE_WITHOUT_TAGS } }
    : collection

/**
 * Function that prepares the benchmark's event number `at` for all accounts; nothing is sent. Resolves with the number of accounts whose
 * access rules let them receive it.
 */
type FanOut = (at: number) => Promise<number>

/**
 * For a benchmark: returns a function that publishes an event about a system by its number. It decides for each account whether the account
 * may see that system, and serializes the event for those that may; nothing is sent.
 */
function fanOut({ accounts, systems }: TaggedFleet, engine: Engine): FanOut {
  const collection = engine.collections.find('systems')
  if (collection === undefined) throw new RangeError('There is no collection of systems')
  const topic = { text: 'systems/*', name: 'systems', rest: '*', query: {}, headers: {} }
  const views = accounts.map((actor) => viewOf(engine, { collection, topic, actor }))
  return async (at) => {
    const record = systems[(at * 7) % systems.length]
    if (record === undefined) throw new RangeError('There are no systems')
    const look = eventTextsOf(engine, { action: 'update', collection: 'systems', record, previous: record }, () => undefined)
    const texts = await Promise.all(views.map(look))
    return texts.filter((text) => text !== undefined).length
  }
}

/**
 * Measures the same sequence of events with several variants of access rules, alternating after each event. Resolves with the median
 * duration of each in ms.
 */
async function mediansOf(ways: readonly FanOut[]): Promise<readonly number[]> {
  const times = ways.map((): number[] => [])
  for (let at = -WARM_UP; at < EVENTS; at++) {
    const seen = new Set<number>()
    for (let turn = 0; turn < ways.length; turn++) {
      const way = (at + WARM_UP + turn) % ways.length
      const from = performance.now()
      seen.add((await ways[way]?.(at + WARM_UP)) ?? 0)
      if (at >= 0) times[way]?.push(performance.now() - from)
    }
    if (seen.size !== 1) throw new RangeError(`Event ${at} is not seen by equally many accounts: ${[...seen].join(', ')}`)
  }
  return times.map((some) => quantile(Float64Array.from(some).toSorted(), 0.5))
}

async function quantilesOf(name: string, work: (at: number) => Promise<unknown>): Promise<readonly Figure[]> {
  const times: number[] = []
  for (let at = -WARM_UP; at < REQUESTS; at++) {
    const from = performance.now()
    await work(at + WARM_UP)
    if (at >= 0) times.push(performance.now() - from)
  }
  const rising = Float64Array.from(times).toSorted()
  return [
    { name: `${name}: p50`, value: quantile(rising, 0.5), unit: 'ms', bar: 5 },
    { name: `${name}: p99`, value: quantile(rising, 0.99), unit: 'ms', bar: 5 },
  ]
}

/**
 * Measures how long access decisions take for an account that sees systems only through tags: visible system, invisible system, page of the
 * list. Resolves with the figures (measured values) and the number of visible systems.
 */
async function requestsOf({ engine, accounts, systems }: TaggedFleet): Promise<readonly Figure[]> {
  const { viewable } = accessOf(engine)
  const [actor] = accounts
  const collection = engine.collections.find('systems')
  if (actor === undefined || collection === undefined) throw new RangeError('The fleet is incomplete')
  const facts = { actor, context: 'default', method: 'GET', query: {}, headers: {} } as const
  const visible: string[] = []
  const hidden: string[] = []
  for (const { id } of systems) {
    const found = await viewable({ actor }, 'systems', id).catch(() => undefined)
    const list = found === undefined ? hidden : visible
    list.push(id)
  }
  const decide = (ids: readonly string[]) => (at: number) =>
    viewable({ actor }, 'systems', ids[at % ids.length] ?? '').catch(() => undefined)
  return [
    { name: 'systems that the account sees by tag', value: visible.length, unit: '' },
    ...(await quantilesOf('decision about a system that it sees', decide(visible))),
    ...(await quantilesOf('decision about a system that it does not see', decide(hidden))),
    ...(await quantilesOf('page of 30 systems', () => listAsJson(engine, collection, facts, { perPage: '30', skipTotal: '1' }))),
  ]
}

/**
 * Returns a copy of the benchmark's systems and accounts with other tags: each account may view only tags that no system has. The users of
 * each system stay the same.
 */
const withOtherTags = (fleet: TaggedFleet): TaggedFleet => ({
  ...fleet,
  accounts: fleet.accounts.map((account, at) => ({ ...account, viewTags: Array.from({ length: 8 }, (_, tag) => `other=${at * 8 + tag}`) })),
  systems: fleet.systems.map((system, at) => ({ ...system, accessTags: Array.from({ length: 3 }, (_, tag) => `tag=${at * 3 + tag}`) })),
})

/**
 * Measures how long one update event of a system takes for all accounts: access checks and serialization, without sending. Compares the old
 * access rules, without tags, with today's rules for users of systems and for groups with tags. Resolves with the medians in ms and their
 * ratios.
 */
async function eventsOf(member: TaggedFleet, tagged: TaggedFleet): Promise<readonly Figure[]> {
  const before: Engine = { ...member.engine, collections: collectionsOf(member.engine.collections.all.map(withoutTags)) }
  const ways = [
    fanOut(member, before),
    fanOut(tagged, tagged.engine),
    fanOut(member, member.engine),
    fanOut(withOtherTags(member), member.engine),
  ]
  const [was = Number.NaN, byTag = Number.NaN, asMember = Number.NaN, asBoth = Number.NaN] = await mediansOf(ways)
  const name = `event to ${ACCOUNTS} accounts`
  return [
    { name: `${name}, members, rules without tags`, value: was, unit: 'ms' },
    { name: `${name}, by tag`, value: byTag, unit: 'ms' },
    { name: `${name}, by tag, ratio`, value: byTag / was, unit: '×', bar: 1.2 },
    { name: `${name}, members, today's rules`, value: asMember, unit: 'ms' },
    { name: `${name}, members, today's rules, ratio`, value: asMember / was, unit: '×', bar: 1.2 },
    { name: `${name}, members with other tags, today's rules, ratio`, value: asBoth / was, unit: '×', bar: 1.2 },
  ]
}

/**
 * Benchmark of access through tags: an account may see a system because one of its groups has been granted one of the system's tags. It
 * measures the decisions about one account's requests, and the cost of an event for all accounts.
 */
export const tagAccess: Row = {
  id: 'H11',
  what: `hub: access by tag, ${SYSTEMS} systems, ${TAGS} tags, ${GROUPS} groups, ${ACCOUNTS} accounts, SQLite`,
  async measure() {
    await using stack = new AsyncDisposableStack()
    const folder = () => stack.use(scratchFolder()).path
    const tagged = stack.use(await taggedFleet(folder(), 'tag'))
    const member = stack.use(await taggedFleet(folder(), 'member'))
    return [...(await requestsOf(tagged)), ...(await eventsOf(member, tagged))]
  },
}
