import { bypassesProxy } from '../text/no-proxy.ts'
import type { OptionReader } from './option-reader.ts'

const REST = String.raw`([^@/]*@)?(\[[0-9a-f:.]+\]|[^:/[\]]+)(:\d{1,5})?\/?$`
/**
 * Regular expression that matches the URL of a SOCKS5 proxy (RFC 1928). In other programs, only `socks5h` lets the proxy resolve names;
 * here `socks5` does too.
 */
const SOCKS5 = new RegExp(`^socks5h?://${REST}`, 'i')
const HTTP = new RegExp(`^http://${REST}`, 'i')

/**
 * Reads the proxy options and returns the URL of the proxy for the hub at `url`: `socks5h://[user:password@]host[:port]` or `http://…`.
 * `undefined` for none; an unsupported proxy causes a warning. Never print the URL: it may contain a password.
 */
export function readProxy(reader: OptionReader, url: string): string | undefined {
  const proxy = (url.startsWith('wss:') ? httpsProxy(reader) : undefined) ?? anyProxy(reader)
  const host = /^wss?:\/\/(\[[^\]]*\]|[^:/]*)/.exec(url)?.[1] ?? ''
  return proxy === undefined || bypassesProxy(reader.text('NO_PROXY') ?? '', host) ? undefined : proxy.replace(/\/$/, '')
}

function httpsProxy(reader: OptionReader): string | undefined {
  const proxy = reader.text('HTTPS_PROXY')
  if (proxy === undefined) return undefined
  // A proxy without a scheme is an HTTP proxy.
  const whole = proxy.includes('://') ? proxy : `http://${proxy}`
  if (HTTP.test(whole)) return whole.replace(/^http:/i, 'http:')
  reader.remark('HTTPS_PROXY is not http://host:port and is not used')
  return undefined
}

function anyProxy(reader: OptionReader): string | undefined {
  const proxy = reader.text('ALL_PROXY')
  if (proxy === undefined) return undefined
  if (SOCKS5.test(proxy)) return proxy.replace(/^socks5h?:/i, 'socks5h:')
  if (HTTP.test(proxy)) return proxy.replace(/^http:/i, 'http:')
  reader.remark('ALL_PROXY is not socks5://host:port or http://host:port and is not used')
  return undefined
}
