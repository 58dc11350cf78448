import type { Fleet } from '../../fleet/fleet.ts'
import type { HubList } from '../../operations/health/hub-list.ts'
import type { Membership } from '../../platform/cluster/membership.ts'

type DrainParts = {
  readonly membership: Pick<Membership, 'onRenewal'>
  readonly hubList: Pick<HubList, 'isDrained'>
  readonly fleet: Pick<Fleet, 'release'>
}

/**
 * Starts to release this hub's agents to other hubs whenever it is drained, by an admin or because its clock is wrong, and another hub can
 * take them. Returns the function that stops this.
 */
export function releaseWhenDrained({ membership, hubList, fleet }: DrainParts): () => void {
  let stop: (() => void) | undefined
  const end = (): void => {
    stop?.()
    stop = undefined
  }
  const unsubscribe = membership.onRenewal(() => {
    if (!hubList.isDrained()) end()
    else stop ??= fleet.release()
  })
  return () => {
    unsubscribe()
    end()
  }
}
