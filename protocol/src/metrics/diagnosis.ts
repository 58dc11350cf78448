/** What the agent's doctor found: printed by `vedette-agent doctor`, and sent to a hub that asks. */
export type Diagnosis = { readonly agentVersion: string; readonly takenAtMs: number; readonly collectors: readonly Finding[] }

/** One collector: whether it works, what it left out and why, what would help, and what it costs. */
export type Finding = {
  readonly name: string
  /** `absent`: this machine has no such thing, or it is switched off. */
  readonly state: 'works' | 'absent' | 'failing'
  /** What it reads now, in a few words, such as "sda, nvme0n1". */
  readonly found?: string
  readonly skipped: readonly Skipped[]
  /** The last failure, in words. */
  readonly error?: string
  /** One command or setting that would give a missing permission. */
  readonly remedy?: string
  /** Of the last reading. */
  readonly costMs?: number
  /** Since the last good reading. */
  readonly ageMs?: number
}

export type Skipped = { readonly what: string; readonly why: string }
