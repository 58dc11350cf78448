import type { ContainerSample } from '@vedette/protocol/metrics/sample'
import { containerIdentity } from '../../history/model/container-identity.ts'

/** A container and what stays of its name when it is made anew. */
export type Identified = { readonly identity: string; readonly container: ContainerSample }

/** Several rules ask it of one sample. */
const known = new WeakMap<readonly ContainerSample[], readonly Identified[]>()

export function identified(containers: readonly ContainerSample[]): readonly Identified[] {
  let all = known.get(containers)
  if (all === undefined) known.set(containers, (all = containers.map((container) => ({ identity: identityOf(container.name), container }))))
  return all
}

/** The same names come every minute. */
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
