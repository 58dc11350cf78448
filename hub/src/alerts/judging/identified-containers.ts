import type { ContainerSample } from '@vedette/protocol/metrics/sample'
import { containerIdentity } from '../../history/model/container-identity.ts'

/** Container of a sample with its identity: the part of its name that stays the same when the container is recreated. */
export type IdentifiedContainer = { readonly identity: string; readonly container: ContainerSample }

/**
 * Cache from the list of containers in a sample (object identity) to the list of those containers with their identities. Several alert
 * rules of a system need it.
 */
const identifiedBySample = new WeakMap<readonly ContainerSample[], readonly IdentifiedContainer[]>()

export function identifiedContainers(containers: readonly ContainerSample[]): readonly IdentifiedContainer[] {
  let all = identifiedBySample.get(containers)
  if (all === undefined)
    identifiedBySample.set(containers, (all = containers.map((container) => ({ identity: identityOf(container.name), container }))))
  return all
}

/**
 * Cache from container name to container identity, because the same names occur in every sample. It is cleared when it has 20,000 entries
 * and another name comes.
 */
const identities = new Map<string, string>()
const MOST_KEPT = 20_000

function identityOf(name: string): string {
  let identity = identities.get(name)
  if (identity === undefined) {
    if (identities.size >= MOST_KEPT) identities.clear()
    identities.set(name, (identity = containerIdentity(name)))
  }
  return identity
}
