import type { UnitOfWork } from '../../platform/db/database.ts'

export type OwnershipListener = {
  /** Called with the ids of systems that this hub has gained or lost. */
  readonly onMoved: (systems: readonly string[]) => void
  /** Returns true when another hub could poll this system as well, because its agent has no open connection to this hub. */
  readonly isDialled: (system: string) => boolean
}

/**
 * Ownership of systems: which systems this hub polls and evaluates. A single hub owns all systems; several hubs on one database share them.
 * A system has at most one owner at a time.
 */
export type SystemOwnership = {
  readonly owns: (system: string) => boolean
  /** Returns the epoch of this hub's lease of the system. Later owners have higher epochs. `undefined` for a single hub. */
  readonly epochOf: (system: string) => number | undefined
  /** Takes a system whose agent has connected to this hub. Resolves to false when this hub owned the system already. */
  readonly claim: (system: string) => Promise<boolean>
  /** Returns the milliseconds that the agent of a system still has to reconnect after its owner hub was gone. 0 = none. */
  readonly settlingMs: (system: string) => number
  /** Resolves to true when this hub still holds the system's lease with this epoch. The lease is locked until the transaction ends. */
  readonly admits: (unit: UnitOfWork, system: string, epoch: number | undefined) => Promise<boolean>
  /** Adds a listener for gained and lost systems. Returns the function that removes it. */
  readonly subscribe: (listener: OwnershipListener) => () => void
}

/** Ownership of a single hub without other hubs: it owns every system. */
export const ownsAllSystems: SystemOwnership = {
  owns: () => true,
  epochOf: () => undefined,
  claim: async () => false,
  settlingMs: () => 0,
  admits: async () => true,
  subscribe: () => () => {},
}
