import { fnv1a } from '../../platform/fnv1a.ts'

/** The right of one hub to store and judge what a system sends. The database holds the current lease of each system. */
export type Lease = { readonly hub: string; readonly epoch: number }

/** The lease after a hub took the system because its agent connected there. A new owner gets a new epoch. */
export function claimed(lease: Lease | undefined, hub: string): Lease {
  if (lease === undefined) return { hub, epoch: 1 }
  return lease.hub === hub ? lease : { hub, epoch: lease.epoch + 1 }
}

/** The lease after a hub took a system whose owner is gone. `undefined` when the owner lives. */
export function inherited(lease: Lease | undefined, hub: string, isLiving: (hub: string) => boolean): Lease | undefined {
  return lease !== undefined && (lease.hub === hub || isLiving(lease.hub)) ? undefined : claimed(lease, hub)
}

/** The lease after its owner gave the system to another hub. `undefined` when it is not the owner's any more. */
export function handedOver(lease: Lease | undefined, owner: string, heir: string): Lease | undefined {
  return lease?.hub === owner ? claimed(lease, heir) : undefined
}

/** Whether the writer of a sample or of a status still owns the system. */
export const admits = (lease: Lease | undefined, writer: Lease): boolean => lease?.hub === writer.hub && lease.epoch === writer.epoch

/** Whether another hub's claim ends a lease that this hub holds. A claim may be reported late. */
export const endsLease = (heldEpoch: number, claimedEpoch: number): boolean => claimedEpoch > heldEpoch

/** A hub that may get systems. */
export type Candidate = { readonly id: string; readonly isDraining: boolean }

/**
 * The hub that polls a system whose agent is connected to none: the one with the highest hash (rendezvous hashing). A hub that ends moves
 * only its own systems. Draining hubs get systems only when there is no other hub.
 */
export function heirOf(system: string, living: readonly Candidate[]): string | undefined {
  const ready = living.filter(({ isDraining }) => !isDraining)
  let heir: string | undefined
  let highest = -1
  for (const { id } of ready.length > 0 ? ready : living) {
    const weight = mixed(fnv1a(`${id} ${system}`))
    if (weight > highest || (weight === highest && heir !== undefined && id < heir)) [heir, highest] = [id, weight]
  }
  return heir
}

/** FNV-1a of texts with a long common part differs in few bits. The finalizer of MurmurHash3 spreads them. */
function mixed(hash: number): number {
  const first = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35)
  return (second ^ (second >>> 16)) >>> 0
}
