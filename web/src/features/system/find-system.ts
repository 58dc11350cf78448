import type { System } from '../../api/system-record.ts'

/** The system that an address names: by its id, or by its name. */
export const findSystem = (systems: readonly System[], nameOrId: string): System | undefined =>
  systems.find(({ id }) => id === nameOrId) ?? systems.find(({ name }) => name === nameOrId)
