import { networkInterfaces } from 'node:os'

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'))

/** Reason to skip a test over ::1 on this machine; `false` when IPv6 is available. */
export const withoutIpv6: string | false = hasIpv6 ? false : 'this machine has no ::1'
