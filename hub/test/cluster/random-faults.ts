import fc from 'fast-check'
import type { ProxyState } from './fault-proxy.ts'

export const hubNames = ['a', 'b', 'c'] as const
export type HubName = (typeof hubNames)[number]

/** `killed` and `stopped`: the hub is started again at the end of the fault. */
export type FaultKind = 'frozen' | 'killed' | 'stopped' | { readonly of: 'postgres' | 'nats'; readonly state: ProxyState }

export type Fault = {
  /** Milliseconds since the fault before. */
  readonly afterMs: number
  readonly hubs: readonly HubName[]
  readonly kind: FaultKind
  readonly forMs: number
}

/** Longer than a hub may be silent, so that others take over, in a quarter of the cases. */
const forMs = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 200, max: 2500 }) },
  { weight: 1, arbitrary: fc.integer({ min: 6500, max: 8000 }) },
)
const oneHub = fc.constantFrom(...hubNames).map((name) => [name])
const anyHubs = fc.oneof({ weight: 6, arbitrary: oneHub }, { weight: 1, arbitrary: fc.constant(hubNames) })

const state: fc.Arbitrary<ProxyState> = fc.oneof(
  fc.constantFrom<ProxyState>({ kind: 'cut' }, { kind: 'frozen' }, { kind: 'answers frozen' }),
  fc.integer({ min: 20, max: 300 }).map((byMs): ProxyState => ({ kind: 'delayed', byMs })),
)
const network = (of: 'postgres' | 'nats') => fc.record({ hubs: anyHubs, kind: state.map((one): FaultKind => ({ of, state: one })) })
const ofProcess = fc.record({ hubs: oneHub, kind: fc.constantFrom<FaultKind>('frozen', 'killed', 'killed', 'stopped') })

const fault: fc.Arbitrary<Fault> = fc
  .tuple(fc.oneof(ofProcess, network('postgres'), network('nats')), fc.integer({ min: 200, max: 2500 }), forMs)
  .map(([what, afterMs, lasting]) => ({ ...what, afterMs, forMs: lasting }))

/** The same faults for the same seed. */
export const randomFaults = (seed: number, count: number): readonly Fault[] => fc.sample(fault, { seed, numRuns: count })

export function describeFault({ hubs, kind, forMs: lasting }: Fault): string {
  const what =
    typeof kind === 'string' ? kind : `${kind.of} ${kind.state.kind}${kind.state.kind === 'delayed' ? ` by ${kind.state.byMs} ms` : ''}`
  return `${hubs.join('+')}: ${what} for ${lasting} ms`
}
