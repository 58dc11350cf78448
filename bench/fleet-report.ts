/**
 * Options of a process that simulates agents, passed as JSON in its first argument: number of agents and of containers, transport and
 * tokens.
 */
export type FleetOptions = {
  readonly count: number
  readonly containers: number
  /**
   * Transport between hub and simulated agents, with its parameters. With SSH, each agent listens on its own loopback address (all on one
   * port), and the hub connects to it.
   */
  readonly link:
    | { readonly kind: 'websocket'; readonly url: string; readonly dialling: Dialling }
    | { readonly kind: 'ssh'; readonly port: number; readonly hubKeyLine: string }
  /**
   * Kind of the simulated agents' enrolment tokens: `universal` (one for all) or `own` (one for each). {@link tokenOf} returns the token of
   * an agent.
   */
  readonly tokens: Tokens
}

/**
 * How simulated agents reconnect: `spread`, after a random delay, as Vedette's agents do; `in step`, at once and then every 10 s, as other
 * agents do.
 */
export type Dialling = 'spread' | 'in step'

export type Tokens = 'universal' | 'own'

const UNIVERSAL_TOKEN = 'bench-universal-token'
export const tokenOf = (tokens: Tokens, index: number): string =>
  tokens === 'universal' ? UNIVERSAL_TOKEN : `bench-token-${String(index).padStart(5, '0')}`

/**
 * Returns the loopback address of a simulated machine by its index, such as `127.77.0.1` for 1. Linux accepts connections to all of
 * 127.0.0.0/8.
 */
export const addressOf = (index: number): string => `127.77.${index >> 8}.${index & 0xff}`

/**
 * Order to the process that simulates agents. `dial`: start all agents, `perSecond` connections a second. `report`: send the events since
 * the last report.
 */
export type FleetOrder = { readonly order: 'dial'; readonly perSecond: number } | { readonly order: 'report' }

/**
 * Log of polls or events as a flat list with three numbers per entry. They are index of the machine, its uptime in seconds (or another
 * mark), and the time from {@link monotonicMs}.
 */
export type Sightings = Float64Array
export const SIGHTING_NUMBERS = 3

export type FleetReport = {
  /** Number of connected agents that have verified the hub. Over SSH: number of open connections. */
  readonly connected: number
  /**
   * Log of the samples that the simulated agents have sent since the last report: index of the machine, uptime in seconds and time in ms of
   * each.
   */
  readonly answers: Sightings
  /** Object from error message to the number of such errors of the simulated agents since the last report. */
  readonly problems: Readonly<Record<string, number>>
}

/** Returns the time of the machine's monotonic clock in ms, which is the same in all processes (clock_gettime(2), CLOCK_MONOTONIC). */
export const monotonicMs = (): number => Number(process.hrtime.bigint() / 1000n) / 1000

/**
 * Creates an empty log of polls or events. `add` appends an entry (machine's index, uptime, time); `take` returns all entries as
 * `Sightings` and empties the log.
 */
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
