import { bypassesProxy } from '../text/no-proxy.ts'
import type { OptionReader } from './option-reader.ts'

/** RFC 1928; `socks5h` is said by other programs when the proxy resolves the name, which it always does here. */
const SOCKS5 = /^socks5h?:\/\/([^@/]*@)?(\[[0-9a-f:.]+\]|[^:/[\]]+)(:\d{1,5})?\/?$/i

/**
 * The SOCKS5 proxy through which the hub at `url` is reached, as `socks5h://[user:password@]host[:port]`; `undefined` for none. Other
 * kinds of proxy are set for other programs of a machine, so they are told, and no reason not to start. The value may hold a password
 * and is never repeated.
 */
export function readProxy(reader: OptionReader, url: string): string | undefined {
  const proxy = reader.text('ALL_PROXY')
  if (proxy === undefined) return undefined
  if (!SOCKS5.test(proxy)) {
    reader.remark('ALL_PROXY is no socks5://host:port and is not used')
    return undefined
  }
  const host = /^wss?:\/\/(\[[^\]]*\]|[^:/]*)/.exec(url)?.[1] ?? ''
  return bypassesProxy(reader.text('NO_PROXY') ?? '', host) ? undefined : proxy.replace(/^socks5h?:/i, 'socks5h:').replace(/\/$/, '')
}
