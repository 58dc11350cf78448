/** Options of a simulated fleet, passed as JSON in its first argument. */
export type FleetOptions = {
  readonly count: number
  readonly containers: number
  /** SSH: every agent listens on a loopback address of its own, all on one port; the hub dials. */
  readonly link:
    | { readonly kind: 'websocket'; readonly url: string; readonly dialling: Dialling }
    | { readonly kind: 'ssh'; readonly port: number; readonly hubKeyLine: string }
  /** One token for all, or one for each; see {@link tokenOf}. */
  readonly tokens: Tokens
}

/** When an agent dials again: as our own agents, spread by chance, or as those of other makes, at once and then every 10 s. */
export type Dialling = 'spread' | 'in step'

export type Tokens = 'universal' | 'own'

const UNIVERSAL_TOKEN = 'bench-universal-token'
export const tokenOf = (tokens: Tokens, index: number): string =>
  tokens === 'universal' ? UNIVERSAL_TOKEN : `bench-token-${String(index).padStart(5, '0')}`

/** Every simulated machine has its own loopback address; Linux accepts connections to all of 127.0.0.0/8. */
export const addressOf = (index: number): string => `127.77.${index >> 8}.${index & 0xff}`

/** Orders to a fleet: start all agents, at a number of connections per second; report the events since the last report. */
export type FleetOrder = { readonly order: 'dial'; readonly perSecond: number } | { readonly order: 'report' }

/** Three numbers for each response or event: index of the machine, its uptime, and the time (see {@link monotonicMs}). */
export type Sightings = Float64Array
export const SIGHTING_NUMBERS = 3

export type FleetReport = {
  /** Agents that are connected and have verified the hub; over SSH, open connections. */
  readonly connected: number
  /** Every document sent since the last report. */
  readonly answers: Sightings
  /** Errors since the last report, by message, with their counts. */
  readonly problems: Readonly<Record<string, number>>
}

/** Milliseconds of the machine's own clock, which all its processes share. Source: clock_gettime(2), CLOCK_MONOTONIC. */
export const monotonicMs = (): number => Number(process.hrtime.bigint() / 1000n) / 1000

/** Gathers sightings until they are taken. */
export function sightingLog(): {
  readonly add: (index: number, uptimeSeconds: number, atMs: number) => void
  readonly take: () => Sightings
} {
  let numbers: number[] = []
  return {
    add: (index, uptimeSeconds, atMs) => void numbers.push(index, uptimeSeconds, atMs),
    take() {
      const taken = Float64Array.from(numbers)
      numbers = []
      return taken
    },
  }
}
