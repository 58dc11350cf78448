import { networkInterfaces } from 'node:os'

const hasAnother = Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ internal }) => !internal))

/** Environment for an agent of this machine. If the only interface is the loopback, it is counted, so that there is traffic to show. */
export const countedInterfaces: Readonly<Record<string, string>> = hasAnother ? {} : { NICS: 'lo' }
