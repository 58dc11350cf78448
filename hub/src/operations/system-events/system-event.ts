/** What a system is from then on. */
export const statusKinds = ['up', 'down', 'paused', 'resumed'] as const

/** `restarted`: the machine, at the moment its uptime began. The hub's own belong to every system: what it slept through nobody measured. */
export type SystemEventKind = (typeof statusKinds)[number] | 'restarted' | 'hub-started' | 'hub-stopped'

/** Epoch milliseconds; `text` is one sentence why, or empty. */
export type SystemEvent = { readonly at: number; readonly kind: SystemEventKind; readonly text: string }
