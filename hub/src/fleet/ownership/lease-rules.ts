import { fnv1a } from '../../platform/fnv1a.ts'

/** Right of one hub to poll a system and store its samples. `epoch` grows by 1 with every new owner. */
export type Lease = { readonly hub: string; readonly epoch: number }

/** Returns the lease after a hub took the system because its agent connected there. A new owner gets a higher epoch. */
export function claimed(lease: Lease | undefined, hub: string): Lease {
  if (lease === undefined) return { hub, epoch: 1 }
  return lease.hub === hub ? lease : { hub, epoch: lease.epoch + 1 }
}

/** Returns the lease after a hub took a system whose owner is gone. `undefined` when the hub owns the system or its owner is alive. */
export function inherited(lease: Lease | undefined, hub: string, isLiving: (hub: string) => boolean): Lease | undefined {
  return lease !== undefined && (lease.hub === hub || isLiving(lease.hub)) ? undefined : claimed(lease, hub)
}

/** Returns the lease after its owner gave the system to another hub (`heir`). `undefined` when `owner` does not hold the lease. */
export function handedOver(lease: Lease | undefined, owner: string, heir: string): Lease | undefined {
  return lease?.hub === owner ? claimed(lease, heir) : undefined
}

/** True when the hub that writes a sample or status still holds the system's lease, with the same epoch. */
export const admits = (lease: Lease | undefined, writer: Lease): boolean => lease?.hub === writer.hub && lease.epoch === writer.epoch

/** True when another hub's claim ends a lease of this hub, because its epoch is higher. Claims may be reported late. */
export const endsLease = (heldEpoch: number, claimedEpoch: number): boolean => claimedEpoch > heldEpoch

/** Hub that may receive systems. A draining hub is about to stop. */
export type Candidate = { readonly id: string; readonly isDraining: boolean }

/**
 * Chooses the hub that polls a system whose agent is connected to no hub, by rendezvous hashing. When a hub stops, only its own systems
 * move. Draining hubs are chosen only when there is no other hub. `undefined` without hubs.
 */
export function heirOf(system: string, living: readonly Candidate[]): string | undefined {
  const ready = living.filter(({ isDraining }) => !isDraining)
  let heir: string | undefined
  let highest = -1
  for (const { id } of ready.length > 0 ? ready : living) {
    const weight = mixedBits(fnv1a(`${id} ${system}`))
    if (weight > highest || (weight === highest && heir !== undefined && id < heir)) [heir, highest] = [id, weight]
  }
  return heir
}

/** Returns a 32-bit hash with its bits mixed (finalizer of MurmurHash3). FNV-1a hashes of similar texts differ in few bits. */
function mixedBits(hash: number): number {
  const first = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35)
  return (second ^ (second >>> 16)) >>> 0
}
