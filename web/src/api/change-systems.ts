import { createRecord, deleteRecord, updateRecord } from './client.ts'
import { keys } from './keys.ts'
import { systemsList } from './queries.ts'
import { queryClient } from './server-query.ts'
import type { SystemDraft } from './system-draft.ts'
import type { System } from './system-record.ts'

const trimmed = ({ name, host, port }: SystemDraft): SystemDraft => ({ name: name.trim(), host: host.trim(), port: port.trim() })

/** Without a live connection no event says what the hub made of a change. */
const readAgain = (): Promise<void> => queryClient.invalidateQueries({ queryKey: keys.systems })

/** Adds a system that the person alone may see. */
export async function addSystem(draft: SystemDraft, userId: string): Promise<void> {
  await createRecord('systems', { ...trimmed(draft), users: userId })
  await readAgain()
}

export async function editSystem({ id }: System, draft: SystemDraft): Promise<void> {
  await updateRecord('systems', id, trimmed(draft))
  await readAgain()
}

/** Pauses or resumes a system: shown at once, and taken back if the hub refuses. */
export async function setPaused(system: System, isPaused: boolean): Promise<void> {
  const status = isPaused ? 'paused' : 'pending'
  await systemsList.change(system, { ...system, status }, () => updateRecord('systems', system.id, { status }))
  await readAgain()
}

export async function deleteSystem({ id }: System): Promise<void> {
  await deleteRecord('systems', id)
  await readAgain()
}
