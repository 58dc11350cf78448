import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admits, claimedLease, endsLease, handedOver, heirOf, inheritedLease, type Lease } from './lease-rules.ts'

/**
 * A model of hubs that share systems, with every step that a hub, an agent, the database or a message can take next. The steps call
 * the functions of `lease-rules.ts`, as the hub does. The test visits every state that any order of steps can reach. A frozen hub
 * takes no step for any time; a dead hub never takes one again. A hub without the database skips the steps that need it. Without
 * NATS, and when messages are lost, no message arrives. A hub's row may expire at any moment, because the model trusts no clock.
 */
type State = {
  /** Whether the database counts each hub as living. */
  readonly young: readonly boolean[]
  readonly systems: readonly SystemState[]
  readonly hubs: readonly HubState[]
}

type SystemState = {
  readonly lease: Lease | null
  /** The hub to which the agent is connected. */
  readonly agentAt: string | null
  /** Number of the agent's newest measurement, and of the last stored one. */
  readonly measured: number
  readonly stored: number
  /** Number of the current or last outage, and of the last reported one. */
  readonly outage: number
  readonly reported: number
  readonly isDown: boolean
}

type HubState = {
  /** Epoch of the lease that the hub believes to hold, by system; 0 for none. */
  readonly held: readonly number[]
  /** Epoch of a claim that is committed, whose response has not arrived; 0 for none. */
  readonly claiming: readonly number[]
  /** A transaction on its way to the database. */
  readonly write: Write | null
}

type Write =
  | { readonly kind: 'sample'; readonly system: number; readonly epoch: number; readonly number: number }
  | { readonly kind: 'down'; readonly system: number; readonly epoch: number; readonly outage: number }

type Limits = { readonly epochs: number; readonly measurements: number; readonly outages: number }

type Step = { readonly name: string; readonly next: State }

const hubId = (hub: number): string => `hub${hub}`
const replaced = <T>(list: readonly T[], at: number, item: T): readonly T[] => list.with(at, item)

function withSystem(state: State, at: number, change: Partial<SystemState>): State {
  const system = state.systems[at]
  return system === undefined ? state : { ...state, systems: replaced(state.systems, at, { ...system, ...change }) }
}

function withHub(state: State, at: number, change: Partial<HubState>): State {
  const hub = state.hubs[at]
  return hub === undefined ? state : { ...state, hubs: replaced(state.hubs, at, { ...hub, ...change }) }
}

/** The fence of the transactions. A test replaces it to show that the model detects a wrong fence. */
type Fence = typeof admits

/** The end of a connection begins an outage. */
function disconnected(state: State, at: number): State {
  const system = state.systems[at]
  return system === undefined || system.agentAt === null ? state : withSystem(state, at, { agentAt: null, outage: system.outage + 1 })
}

/** A hub learns that it does not own a system. It closes the agent's connection. */
function lost(state: State, hub: number, at: number): State {
  const released = withHub(state, hub, { held: replaced(state.hubs[hub]?.held ?? [], at, 0) })
  return state.systems[at]?.agentAt === hubId(hub) ? disconnected(released, at) : released
}

function withLease(state: State, at: number, lease: Lease): State {
  return withSystem(state, at, { lease })
}

const heldBy = (state: State, hub: number, at: number): number => state.hubs[hub]?.held[at] ?? 0

function withHeld(state: State, hub: number, at: number, epoch: number): State {
  return withHub(state, hub, { held: replaced(state.hubs[hub]?.held ?? [], at, epoch) })
}

/** A hub reads the leases from the database: it drops the leases that it lost and adopts those that it received. */
function compared(state: State, hub: number): State {
  let next = state
  for (const [at, { lease }] of state.systems.entries()) {
    const epoch = lease?.hub === hubId(hub) ? lease.epoch : 0
    const isClaiming = state.hubs[hub]?.claiming[at] !== 0
    if (epoch !== heldBy(state, hub, at) && !isClaiming) next = epoch === 0 ? lost(next, hub, at) : withHeld(next, hub, at, epoch)
  }
  return next
}

/** Applies a transaction, as `sample-store.ts` and the fleet do. */
function committed(state: State, hub: number, fence: Fence): State {
  const write = state.hubs[hub]?.write
  const done = withHub(state, hub, { write: null })
  const system = write && state.systems[write.system]
  if (!write || !system || !fence(system.lease ?? undefined, { hub: hubId(hub), epoch: write.epoch })) return done
  if (write.kind === 'sample') {
    if (write.number === system.stored) return done
    assert.ok(write.number > system.stored, 'a sample was stored twice, or after a later one')
    return withSystem(done, write.system, { stored: write.number, isDown: false })
  }
  if (system.isDown) return done
  assert.ok(write.outage > system.reported, 'the same outage was reported twice')
  return withSystem(done, write.system, { isDown: true, reported: write.outage })
}

/** All possible next steps. */
function* stepsOf(state: State, limits: Limits, fence: Fence): Generator<Step> {
  for (const hub of state.hubs.keys()) {
    yield* ownSteps(state, hub, fence)
    for (const at of state.systems.keys()) {
      yield* claimSteps(state, { hub, at, limits })
      yield* leaseSteps(state, { hub, at, limits })
      yield* writeSteps(state, hub, at)
    }
  }
  for (const at of state.systems.keys()) yield* agentSteps(state, at, limits)
}

/** Steps of one hub with its row, its memory and its transaction. */
function* ownSteps(state: State, hub: number, fence: Fence): Generator<Step> {
  const id = hubId(hub)
  if (state.young[hub]) yield { name: `the row of ${id} gets old`, next: { ...state, young: replaced(state.young, hub, false) } }
  else yield { name: `${id} renews`, next: { ...state, young: replaced(state.young, hub, true) } }
  yield { name: `${id} compares`, next: compared(state, hub) }
  if (state.hubs[hub]?.write === null) return
  yield { name: `${id} commits`, next: committed(state, hub, fence) }
  yield { name: `${id} loses its transaction`, next: withHub(state, hub, { write: null }) }
}

/** A hub and a system. */
type Pair = { readonly hub: number; readonly at: number; readonly limits: Limits }

const leaseAt = (state: State, at: number): Lease | undefined => state.systems[at]?.lease ?? undefined
const mayGrow = (state: State, at: number, { epochs }: Limits): boolean => (leaseAt(state, at)?.epoch ?? 0) < epochs

/** An agent connects to the hub, which claims its system. The response of the database arrives later. */
function* claimSteps(state: State, { hub, at, limits }: Pair): Generator<Step> {
  const id = hubId(hub)
  const { held = [], claiming = [] } = state.hubs[hub] ?? {}
  const epoch = claiming[at] ?? 0
  if (epoch > 0) {
    const learned = { held: replaced(held, at, epoch), claiming: replaced(claiming, at, 0) }
    yield { name: `${id} learns its claim of ${at}`, next: withHub(state, hub, learned) }
    return
  }
  const lease = leaseAt(state, at)
  if (state.systems[at]?.agentAt === id || !(mayGrow(state, at, limits) || lease?.hub === id)) return
  const taken = claimedLease(lease, id)
  const connected = withSystem(withLease(state, at, taken), at, { agentAt: id })
  yield {
    name: `the agent of ${at} connects to ${id}`,
    next: withHub(connected, hub, { claiming: replaced(claiming, at, taken.epoch) }),
  }
}

/** A lease moves without an agent, or the hub learns that it moved. */
function* leaseSteps(state: State, { hub, at, limits }: Pair): Generator<Step> {
  const id = hubId(hub)
  const lease = leaseAt(state, at)
  const epoch = heldBy(state, hub, at)
  // A message about any earlier claim may arrive at any time, once, twice or never.
  if (epoch > 0 && endsLease(epoch, lease?.epoch ?? 0)) yield { name: `${id} hears of a claim of ${at}`, next: lost(state, hub, at) }
  if (!mayGrow(state, at, limits)) return
  const heir = inheritedLease(lease, id, (other) => state.young[Number(other.slice('hub'.length))] === true)
  if (heir !== undefined) yield { name: `${id} inherits ${at}`, next: withHeld(withLease(state, at, heir), hub, at, heir.epoch) }
  if (epoch > 0 && state.systems[at]?.agentAt !== id) yield* handOverSteps(state, hub, at)
}

function* handOverSteps(state: State, hub: number, at: number): Generator<Step> {
  for (const to of state.hubs.keys()) {
    const given = to === hub ? undefined : handedOver(leaseAt(state, at), hubId(hub), hubId(to))
    if (given !== undefined) yield { name: `${hubId(hub)} hands ${at} to ${hubId(to)}`, next: lost(withLease(state, at, given), hub, at) }
  }
}

/** A hub begins a transaction for a system that it believes to own. */
function* writeSteps(state: State, hub: number, at: number): Generator<Step> {
  const epoch = state.hubs[hub]?.held[at] ?? 0
  const system = state.systems[at]
  if (system === undefined || state.hubs[hub]?.write !== null || epoch === 0) return
  const begins = (write: Write): State => withHub(state, hub, { write })
  if (system.agentAt === hubId(hub)) {
    const next = begins({ kind: 'sample', system: at, epoch, number: system.measured })
    yield { name: `${hubId(hub)} fetches a sample of ${at}`, next }
  } else if (system.outage > system.reported && system.agentAt === null) {
    yield { name: `${hubId(hub)} finds ${at} down`, next: begins({ kind: 'down', system: at, epoch, outage: system.outage }) }
  }
}

function* agentSteps(state: State, at: number, limits: Limits): Generator<Step> {
  const system = state.systems[at]
  if (system === undefined) return
  if (system.measured < limits.measurements)
    yield { name: `the agent of ${at} measures`, next: withSystem(state, at, { measured: system.measured + 1 }) }
  if (system.agentAt !== null && system.outage < limits.outages)
    yield { name: `the agent of ${at} loses its connection`, next: disconnected(state, at) }
}

/** Once the surviving hubs reach the database again, each system has one owner that knows of it. */
function assertOwnedAgain(state: State, survivors: readonly number[]): void {
  const living = survivors.map((hub) => ({ id: hubId(hub), isDraining: false }))
  const isLiving = (hub: string): boolean => living.some(({ id }) => id === hub)
  let next = state
  for (const [at, { lease }] of state.systems.entries()) {
    const heir = heirOf(String(at), living) ?? ''
    const inheritance = inheritedLease(lease ?? undefined, heir, isLiving)
    if (inheritance !== undefined) next = withLease(next, at, inheritance)
  }
  for (const hub of survivors) next = compared(withHub(next, hub, { claiming: next.systems.map(() => 0) }), hub)
  for (const [at, { lease }] of next.systems.entries()) {
    const holders = survivors.filter((hub) => (next.hubs[hub]?.held[at] ?? 0) > 0)
    const [holder] = holders
    const isOne = holders.length === 1 && holder !== undefined && hubId(holder) === lease?.hub
    assert.ok(isOne && next.hubs[holder]?.held[at] === lease.epoch, 'a system has one owner again')
  }
}

/** No two hubs may ever write under the same epoch. */
function assertOneWriter(state: State): void {
  for (const at of state.systems.keys()) {
    const epochs = state.hubs.map(({ held, claiming }) => Math.max(held[at] ?? 0, claiming[at] ?? 0)).filter((epoch) => epoch > 0)
    assert.equal(new Set(epochs).size, epochs.length, 'two hubs hold one epoch')
  }
}

/** A short key of a state. */
const keyOf = ({ young, systems, hubs }: State): string =>
  `${young.map(Number).join('')} ${leasesOf({ systems, hubs })} ${systems
    .map(
      ({ agentAt, measured, stored, outage, reported, isDown }) =>
        `${agentAt} ${measured} ${stored} ${outage} ${reported} ${Number(isDown)}`,
    )
    .join()} ${hubs.map(({ write }) => (write === null ? '' : Object.values(write).join(' '))).join()}`

const leasesOf = ({ systems, hubs }: Pick<State, 'systems' | 'hubs'>): string =>
  `${systems.map(({ lease }) => (lease === null ? '' : `${lease.hub} ${lease.epoch}`)).join()} ${hubs
    .map(({ held, claiming }) => `${held.join()} ${claiming.join()}`)
    .join(';')}`

function initial(hubs: number, systems: number): State {
  const none = Array.from({ length: systems }, () => 0)
  const system: SystemState = { lease: null, agentAt: null, measured: 1, stored: 0, outage: 0, reported: 0, isDown: false }
  return {
    young: Array.from({ length: hubs }, () => true),
    systems: Array.from({ length: systems }, () => system),
    hubs: Array.from({ length: hubs }, () => ({ held: none, claiming: none, write: null })),
  }
}

/** Visits every state and returns their number. The error of a broken rule contains a shortest sequence of steps to it. */
function visitAll(hubs: number, systems: number, limits: Limits, fence: Fence = admits): number {
  const first = initial(hubs, systems)
  const reached = new Map([[keyOf(first), { from: '', name: '' }]])
  const checkedLeases = new Set<string>()
  const survivors = Array.from({ length: 2 ** hubs - 1 }, (_, mask) => [...Array(hubs).keys()].filter((hub) => ((mask + 1) >> hub) & 1))

  function wayTo(key: string): string {
    const names: string[] = []
    for (let at = reached.get(key); at !== undefined && at.from !== ''; at = reached.get(at.from)) names.unshift(at.name)
    return names.join('\n')
  }

  function visit(state: State, key: string, later: State[]): void {
    // Whether systems get owners again depends on the leases alone.
    const leases = leasesOf(state)
    if (!checkedLeases.has(leases)) {
      assertOneWriter(state)
      for (const some of survivors) assertOwnedAgain(state, some)
    }
    checkedLeases.add(leases)
    for (const { name, next } of stepsOf(state, limits, fence)) {
      const nextKey = keyOf(next)
      if (reached.has(nextKey)) continue
      reached.set(nextKey, { from: key, name })
      later.push(next)
    }
  }

  for (let layer = [first]; layer.length > 0;) {
    const later: State[] = []
    for (const state of layer) {
      const key = keyOf(state)
      try {
        visit(state, key, later)
      } catch (error) {
        throw new Error(`${error instanceof Error ? error.message : String(error)}, after:\n${wayTo(key)}`, { cause: error })
      }
    }
    layer = later
  }
  return reached.size
}

type Size = readonly [hubs: number, systems: number, limits: Limits]

const sizes: readonly Size[] = [
  [2, 1, { epochs: 2, measurements: 2, outages: 1 }],
  [3, 1, { epochs: 2, measurements: 1, outages: 0 }],
  [2, 2, { epochs: 1, measurements: 1, outages: 0 }],
]
const moreSizes: readonly Size[] = [
  [2, 1, { epochs: 3, measurements: 2, outages: 1 }],
  [3, 1, { epochs: 3, measurements: 1, outages: 0 }],
  [2, 2, { epochs: 2, measurements: 1, outages: 0 }],
]

for (const [hubs, systems, limits] of process.env['VEDETTE_LONG'] === '1' ? [...sizes, ...moreSizes] : sizes) {
  test(`${hubs} hubs, ${systems} systems, ${limits.epochs} owners: no order of steps breaks a rule`, { timeout: 3_600_000 }, (t) => {
    const states = visitAll(hubs, systems, limits)
    t.diagnostic(`${states} states`)
    assert.ok(states > 1000)
  })
}

test('the model detects a fence that checks only the hub, and a fence that checks nothing', () => {
  const limits = { epochs: 3, measurements: 2, outages: 1 }
  assert.throws(() => visitAll(2, 1, limits, (lease, writer) => lease?.hub === writer.hub))
  assert.throws(() => visitAll(2, 1, limits, () => true), /stored twice|reported twice/)
})
