import { fnv1a } from '../../platform/fnv1a.ts'

/**
 * Lease of a system: the right of one hub to poll it and to store its samples. `epoch` is a fencing number that grows by 1 with every new
 * owner.
 */
export type Lease = { readonly hub: string; readonly epoch: number }

/**
 * Returns the lease (ownership of a system by one hub) after `hub` has taken the system because the agent connected there. A new owner gets
 * an epoch higher by 1.
 */
export function claimedLease(lease: Lease | undefined, hub: string): Lease {
  if (lease === undefined) return { hub, epoch: 1 }
  return lease.hub === hub ? lease : { hub, epoch: lease.epoch + 1 }
}

/**
 * Returns the lease (ownership of a system by one hub) after `hub` has taken a system without an owner hub, or whose owner is gone.
 * `undefined`, with no takeover, when `hub` owns the system already or the owner is alive.
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
 * Returns true when `writer`, the lease under which a hub stores a sample or status, is still the system's lease: same hub and same epoch.
 */
export const admits = (lease: Lease | undefined, writer: Lease): boolean => lease?.hub === writer.hub && lease.epoch === writer.epoch

/**
 * Returns true when another hub's claim of a system ends this hub's lease (ownership of the system): the claim has the higher epoch
 * (fencing number).
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
 * Returns a 32-bit hash whose bits are mixed (finalizer of MurmurHash3). The FNV-1a hashes of similar texts, which it gets, differ in few
 * bits.
 */
function mixedBits(hash: number): number {
  const first = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35)
  return (second ^ (second >>> 16)) >>> 0
}
