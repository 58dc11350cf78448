/**
 * Which systems this hub polls and judges. A port: one hub owns all systems; several hubs on one database share them. A system has at
 * most one owner at a time.
 */
export type SystemOwnership = {
  readonly owns: (system: string) => boolean
  /** Calls the listener with a system that this hub has gained or lost. Returns the function that unsubscribes. */
  readonly subscribe: (listener: (system: string) => void) => () => void
}

/** The ownership of a hub on its own. */
export const ownsAllSystems: SystemOwnership = { owns: () => true, subscribe: () => () => {} }
