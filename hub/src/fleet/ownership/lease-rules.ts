import { fnv1a } from '../../platform/fnv1a.ts'

/**
 * Lease of a system: the right of the hub with the id `hub` to poll the system and store its samples. `epoch` is a fencing number, which
 * grows by 1 with every new owner hub.
 */
export type Lease = { readonly hub: string; readonly epoch: number }

/**
 * Returns the new lease of a system whose agent has connected to the hub with the id `hub`, which thus becomes the owner. The epoch grows
 * by 1 if another hub owned the system, and is 1 without an earlier lease.
 */
export function claimedLease(lease: Lease | undefined, hub: string): Lease {
  if (lease === undefined) return { hub, epoch: 1 }
  return lease.hub === hub ? lease : { hub, epoch: lease.epoch + 1 }
}

/**
 * Returns the new lease of a system when `hub` takes it over because it has no owner or its owner hub is gone. Returns `undefined`, and
 * nothing changes, when `hub` owns it already or its owner is alive.
 */
export function inheritedLease(lease: Lease | undefined, hub: string, isLiving: (hub: string) => boolean): Lease | undefined {
  return lease !== undefined && (lease.hub === hub || isLiving(lease.hub)) ? undefined : claimedLease(lease, hub)
}

/**
 * Returns the lease (ownership of a system by one hub) after hub `owner` has handed the system over to hub `heir`. `undefined` when `owner`
 * does not hold the lease.
 */
export function handedOver(lease: Lease | undefined, owner: string, heir: string): Lease | undefined {
  return lease?.hub === owner ? claimedLease(lease, heir) : undefined
}

/**
 * Returns true when `writer` is still the valid lease of a system: it has the same hub and epoch as the stored `lease`. Otherwise the
 * sample or status that the hub wants to store is refused.
 */
export const admits = (lease: Lease | undefined, writer: Lease): boolean => lease?.hub === writer.hub && lease.epoch === writer.epoch

/**
 * Returns true when another hub has taken over a system of this hub. `claimedEpoch`, the epoch (fencing number) of its claim, is then
 * higher than `heldEpoch`, that of this hub's lease.
 */
export const endsLease = (heldEpoch: number, claimedEpoch: number): boolean => claimedEpoch > heldEpoch

/**
 * Hub that can become the owner of systems. `isDraining`: it is about to stop and gives its systems away, so it is chosen only if there is
 * no other.
 */
export type Candidate = { readonly id: string; readonly isDraining: boolean }

/**
 * Returns the id of the hub that should own a system whose agent is connected nowhere, by rendezvous hashing over the living hubs. Draining
 * hubs, which give their systems away, are chosen only if no other is left. `undefined` without hubs.
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

/**
 * Returns the 32-bit hash `hash` with its bits mixed (finalizer of MurmurHash3). The FNV-1a hashes of similar texts differ in few bits;
 * after mixing, they order hubs evenly.
 */
function mixedBits(hash: number): number {
  const first = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35)
  return (second ^ (second >>> 16)) >>> 0
}
