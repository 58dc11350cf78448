import { networkInterfaces } from 'node:os'

const hasAnother = Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ internal }) => !internal))

/**
 * Environment variables for an agent that a test starts here: `NICS=lo` if there is only the loopback interface, so that it has traffic to
 * show. Otherwise empty.
 */
export const countedInterfaces: Readonly<Record<string, string>> = hasAnother ? {} : { NICS: 'lo' }
