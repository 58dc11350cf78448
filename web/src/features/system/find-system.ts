import type { System } from '../../api/system-record.ts'

/** Returns the system whose id is `name`, else the first with that name; `undefined` when there is none. */
export const findSystem = (systems: readonly System[], nameOrId: string): System | undefined =>
  systems.find(({ id }) => id === nameOrId) ?? systems.find(({ name }) => name === nameOrId)
