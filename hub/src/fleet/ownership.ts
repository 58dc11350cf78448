/**
 * Decides which systems this hub polls and evaluates. A single hub owns all systems; several hubs on one database share them. A system
 * has at most one owner at a time.
 */
export type SystemOwnership = {
  readonly owns: (system: string) => boolean
  /** Calls the listener with a system that this hub has gained or lost. Returns the function that unsubscribes. */
  readonly subscribe: (listener: (system: string) => void) => () => void
}

/** The ownership of a single hub: it owns every system. */
export const ownsAllSystems: SystemOwnership = { owns: () => true, subscribe: () => () => {} }
