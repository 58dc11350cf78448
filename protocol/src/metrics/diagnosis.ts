/** Diagnostics of all collectors: printed by `vedette-agent doctor`, and sent to a hub on request. */
export type Diagnosis = { readonly agentVersion: string; readonly takenAtMs: number; readonly collectors: readonly Finding[] }

/** Diagnostics of one collector: its state, omissions with their reasons, a remedy, and its cost. */
export type Finding = {
  readonly name: string
  /** State of the collector. `absent`: this machine has nothing to read, or the collector is disabled. */
  readonly state: 'works' | 'absent' | 'failing'
  /** Short description of what the collector reads, such as `sda, nvme0n1`. */
  readonly found?: string
  readonly skipped: readonly Skipped[]
  /** Message of the last failure. */
  readonly error?: string
  /** Command or setting that fixes a problem, such as a missing permission. */
  readonly remedy?: string
  /** Duration of the last reading, in ms. */
  readonly costMs?: number
  /** Time since the last good reading, in ms. */
  readonly ageMs?: number
}

export type Skipped = { readonly what: string; readonly why: string }
