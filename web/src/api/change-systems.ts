import { createRecord, deleteRecord, updateRecord } from './client.ts'
import { keys } from './keys.ts'
import { systemsList } from './queries.ts'
import { queryClient } from './server-query.ts'
import type { SystemDraft } from './system-draft.ts'
import type { System } from './system-record.ts'
import type { TagChange } from './tag-draft.ts'

const trimmed = ({ name, host, port }: SystemDraft): SystemDraft => ({ name: name.trim(), host: host.trim(), port: port.trim() })

/**
 * Marks the cached list of systems as stale, so that it is fetched again. Needed after a change by this page itself while no realtime
 * connection reports changes.
 */
const refetchSystems = (): Promise<void> => queryClient.invalidateQueries({ queryKey: keys.systems })

/**
 * Creates a system at the hub, assigned to the user with the id `userId`, and refetches the list of systems. Rejects with RequestFailed.
 */
export async function addSystem(draft: SystemDraft, userId: string): Promise<void> {
  await createRecord('systems', { ...trimmed(draft), users: userId })
  await refetchSystems()
}

/**
 * Saves name, address and tags of a system in one request, and refetches the list of systems. When the hub rejects one value, nothing is
 * changed.
 */
export async function editSystem({ id }: System, draft: SystemDraft, tags: TagChange): Promise<void> {
  await updateRecord('systems', id, { ...trimmed(draft), ...tags })
  await refetchSystems()
}

/**
 * Adds tags to a system and removes tags from it at the hub, in one request, and refetches the list of systems. An empty `change` sends no
 * request. Rejects with RequestFailed when the hub refuses.
 */
export async function changeTags({ id }: System, change: TagChange): Promise<void> {
  if (Object.keys(change).length === 0) return
  await updateRecord('systems', id, change)
  await refetchSystems()
}

/**
 * Pauses or resumes a system at the hub (a paused one is not polled). The list of systems shows the new status at once. If the request
 * fails, it shows the old one again, and the promise rejects.
 */
export async function setPaused(system: System, isPaused: boolean): Promise<void> {
  const status = isPaused ? 'paused' : 'pending'
  await systemsList.change(system, { ...system, status }, () => updateRecord('systems', system.id, { status }))
  await refetchSystems()
}

export async function deleteSystem({ id }: System): Promise<void> {
  await deleteRecord('systems', id)
  await refetchSystems()
}
