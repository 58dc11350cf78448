/** Diagnostics of all collectors (readers of one kind of metric each): printed by `vedette-agent doctor`, and sent to a hub on request. */
export type Diagnosis = { readonly agentVersion: string; readonly takenAtMs: number; readonly collectors: readonly Finding[] }

/**
 * Diagnostics of one of the agent's collectors (reader of one kind of metric): state, what it found and skipped, error, remedy, and
 * duration of the last reading.
 */
export type Finding = {
  readonly name: string
  /**
   * State of the agent's collector (reader of one kind of metric): `works`, `failing`, or `absent` when the machine has nothing to read or
   * the collector is disabled.
   */
  readonly state: 'works' | 'absent' | 'failing'
  /**
   * Short text about what the collector (reader of one kind of metric) found on this machine, such as `sda, nvme0n1`; absent for nothing.
   */
  readonly found?: string
  readonly skipped: readonly SkippedPart[]
  /** Error message of the agent's collector (reader of one kind of metric), if its last reading failed; absent otherwise. */
  readonly error?: string
  /**
   * Shell command or setting by which the user can fix what prevents the collector (reader of one kind of metric) from reading. Absent when
   * there is none.
   */
  readonly remedy?: string
  /** Duration of the last reading of the agent's collector (reader of one kind of metric), in ms; absent before the first. */
  readonly costMs?: number
  /**
   * Time in ms since the last reading without an error of the agent's collector (reader of one kind of metric); absent before the first.
   */
  readonly ageMs?: number
}

export type SkippedPart = { readonly what: string; readonly why: string }
