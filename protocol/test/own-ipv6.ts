import { networkInterfaces } from 'node:os'

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'))

/** The reason why a test over ::1 is skipped on this machine; `false` when it is not. */
export const withoutIpv6: string | false = hasIpv6 ? false : 'this machine has no ::1'
