import type { System } from '../../api/system-record.ts'

/** Finds the system with this id, else the first with this name. `undefined` when there is none. */
export const findSystem = (systems: readonly System[], nameOrId: string): System | undefined =>
  systems.find(({ id }) => id === nameOrId) ?? systems.find(({ name }) => name === nameOrId)
