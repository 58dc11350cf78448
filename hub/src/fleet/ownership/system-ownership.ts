import type { UnitOfWork } from '../../platform/db/database.ts'

export type OwnershipListener = {
  /** Called with systems that this hub has gained or lost. */
  readonly onMoved: (systems: readonly string[]) => void
  /** Whether another hub could poll this system as well: its agent has no connection of its own to this hub. */
  readonly isDialled: (system: string) => boolean
}

/**
 * Decides which systems this hub polls and evaluates. A single hub owns all systems; several hubs on one database share them. A system
 * has at most one owner at a time. A port.
 */
export type SystemOwnership = {
  readonly owns: (system: string) => boolean
  /** The lease under which this hub owns the system. A later owner has a higher one. `undefined` for a single hub. */
  readonly epochOf: (system: string) => number | undefined
  /** Takes a system whose agent has connected to this hub. False when this hub owned it already. */
  readonly claim: (system: string) => Promise<boolean>
  /** Milliseconds that the agent of a system still has to reconnect after its owner was gone. */
  readonly settlingMs: (system: string) => number
  /** Whether a lease is still this hub's. It stays so until the transaction ends. */
  readonly admits: (unit: UnitOfWork, system: string, epoch: number | undefined) => Promise<boolean>
  /** Returns the function that unsubscribes. */
  readonly subscribe: (listener: OwnershipListener) => () => void
}

/** The ownership of a single hub: it owns every system. */
export const ownsAllSystems: SystemOwnership = {
  owns: () => true,
  epochOf: () => undefined,
  claim: async () => false,
  settlingMs: () => 0,
  admits: async () => true,
  subscribe: () => () => {},
}
