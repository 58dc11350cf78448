import { networkInterfaces } from 'node:os'

const hasAnother = Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ internal }) => !internal))

/**
 * Environment variables for an agent of this machine: `NICS=lo` if there is only the loopback interface, so that there is traffic to show.
 * Otherwise empty.
 */
export const countedInterfaces: Readonly<Record<string, string>> = hasAnother ? {} : { NICS: 'lo' }
