import { networkInterfaces } from 'node:os'

const hasAnother = Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ internal }) => !internal))

/** For an agent of this machine: where there is no interface but the loopback, that one is counted, so that there is traffic to show. */
export const countedInterfaces: Readonly<Record<string, string>> = hasAnother ? {} : { NICS: 'lo' }
