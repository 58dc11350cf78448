import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Networks } from '../network/networks.ts'

/** An address that sent forwarding headers but is no trusted proxy. Either the settings miss a proxy, or a client forges the headers. */
export type UntrustedForwarding = {
  readonly address: string
  /** First such header, in lower case. */
  readonly header: string
  /** Epoch milliseconds. */
  readonly firstAtMs: number
}

export type ForwardingReport = {
  readonly note: (address: string, headers: IncomingHttpHeaders, proxies: Networks) => void
  /** Noted addresses that are still untrusted. */
  readonly list: (proxies: Networks) => readonly UntrustedForwarding[]
}

/** Maximum stored addresses. A missing proxy is among the first ones. */
const MOST_ADDRESSES = 20

const forwarding = ['x-forwarded-for', 'x-real-ip', 'cf-connecting-ip', 'forwarded'] as const

/** Reports each untrusted address once in the log, and in the list. */
export function forwardingReport(clock: Clock, log: Log): ForwardingReport {
  const seen = new Map<string, UntrustedForwarding>()
  return {
    note(address, headers, proxies) {
      if (seen.size >= MOST_ADDRESSES || seen.has(address)) return
      const header = forwarding.find((name) => headers[name] !== undefined)
      if (header === undefined || proxies.includes(address)) return
      seen.set(address, { address, header, firstAtMs: clock.now() })
      log.warn('forwarding header ignored: its sender is no trusted proxy', { address, header })
    },
    list: (proxies) => [...seen.values()].filter(({ address }) => !proxies.includes(address)),
  }
}
