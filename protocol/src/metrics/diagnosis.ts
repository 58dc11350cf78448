/** Diagnostics of all collectors: printed by `vedette-agent doctor`, and sent to a hub on request. */
export type Diagnosis = { readonly agentVersion: string; readonly takenAtMs: number; readonly collectors: readonly Finding[] }

/** Diagnostics of one collector: its state, omissions with their reasons, a remedy, and its cost. */
export type Finding = {
  readonly name: string
  /** `absent`: this machine has no such thing, or it is switched off. */
  readonly state: 'works' | 'absent' | 'failing'
  /** Readings in a few words, such as "sda, nvme0n1". */
  readonly found?: string
  readonly skipped: readonly Skipped[]
  /** The last failure, in words. */
  readonly error?: string
  /** One command or setting that would give a missing permission. */
  readonly remedy?: string
  /** Duration of the last reading. */
  readonly costMs?: number
  /** Time since the last good reading. */
  readonly ageMs?: number
}

export type Skipped = { readonly what: string; readonly why: string }
