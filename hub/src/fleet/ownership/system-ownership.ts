import type { UnitOfWork } from '../../platform/db/database.ts'

export type OwnershipListener = {
  /** Called when this hub has become, or is no longer, the owner of systems, with their ids. The owner hub polls a system. */
  readonly onMoved: (systems: readonly string[]) => void
  /**
   * Returns true when no agent has connected to this hub for the system (by id): the hub connects to the agent by SSH, or there is no
   * connection. Another hub could then poll it.
   */
  readonly isDialled: (system: string) => boolean
}

/**
 * Service that knows which systems this hub owns: it polls those and evaluates their alerts. A single hub owns all systems; several hubs on
 * one database share them. A system has at most one owner at a time.
 */
export type SystemOwnership = {
  readonly owns: (system: string) => boolean
  /**
   * Returns the epoch of this hub's lease of the system: a fencing number that grows with every new owner. `undefined` for a single hub,
   * and for systems of other hubs.
   */
  readonly epochOf: (system: string) => number | undefined
  /**
   * Makes this hub the owner of a system whose agent has connected here. Resolves to true when another hub, or none, owned the system
   * before.
   */
  readonly claim: (system: string) => Promise<boolean>
  /**
   * Returns the remaining time, in ms, in which the system's agent may still reconnect. It begins when its owner hub is gone or the
   * database is unreachable. 0 when it is over.
   */
  readonly settlingMs: (system: string) => number
  /**
   * Resolves to true when this hub still owns the system with this epoch (fencing number). The system's lease is locked until the
   * transaction ends.
   */
  readonly admits: (unit: UnitOfWork, system: string, epoch: number | undefined) => Promise<boolean>
  /**
   * Adds a listener, which is called when this hub gains or loses ownership of systems, that is, the right to poll them. Returns the
   * function that removes the listener.
   */
  readonly subscribe: (listener: OwnershipListener) => () => void
}

/** Ownership service for a single hub, which shares its database with no other: the hub owns every system. */
export const ownsAllSystems: SystemOwnership = {
  owns: () => true,
  epochOf: () => undefined,
  claim: async () => false,
  settlingMs: () => 0,
  admits: async () => true,
  subscribe: () => () => {},
}
