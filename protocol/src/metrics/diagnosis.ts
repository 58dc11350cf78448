/** Diagnostics of all collectors (readers of one kind of metric each): printed by `vedette-agent doctor`, and sent to a hub on request. */
export type Diagnosis = { readonly agentVersion: string; readonly takenAtMs: number; readonly collectors: readonly Finding[] }

/**
 * Diagnostics of one collector: its state, the omitted things with their reasons, a remedy, and the duration of its last reading (cost).
 */
export type Finding = {
  readonly name: string
  /** Name of the collector's state: `works`, `failing`, or `absent` (this machine has nothing to read, or the collector is disabled). */
  readonly state: 'works' | 'absent' | 'failing'
  /** Short description of what the collector found on this machine, such as `sda, nvme0n1`. */
  readonly found?: string
  readonly skipped: readonly SkippedPart[]
  /** Error message of the collector's last reading, if it failed; absent otherwise. */
  readonly error?: string
  /** Shell command or setting by which the user can fix a problem of the collector, such as a missing permission; absent for none. */
  readonly remedy?: string
  /** Duration of the collector's last reading, in ms. */
  readonly costMs?: number
  /** Time in ms since the collector's last good reading; absent before the first. */
  readonly ageMs?: number
}

export type SkippedPart = { readonly what: string; readonly why: string }
