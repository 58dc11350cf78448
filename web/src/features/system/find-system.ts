import type { System } from '../../api/system-record.ts'

/** Returns the system whose id equals `nameOrId`, else the first whose name does; `undefined` when there is none. */
export const findSystem = (systems: readonly System[], nameOrId: string): System | undefined =>
  systems.find(({ id }) => id === nameOrId) ?? systems.find(({ name }) => name === nameOrId)
