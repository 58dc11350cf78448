import { BlockList, isIP } from 'node:net'
import { Hono } from 'hono'
import { isAdmin } from '../../records/actor.ts'
import { badRequest, RecordError } from '../../records/record-error.ts'
import type { Body } from '../../records/sent-values.ts'
import { readBody } from '../request-body.ts'
import { signedIn, type Signed } from '../signed.ts'

/**
 * Tells a person who tries an address for notifications what is wrong with it. This hub knows no service to send through, and
 * says so for every address that could be one.
 */
export function testNotificationRoute(): Hono<Signed> {
  return new Hono<Signed>().post('/api/beszel/test-notification', async (c) => {
    const { actor } = signedIn(c)
    const url = (await readBody(c).catch((): Body => ({})))['url']
    if (typeof url !== 'string' || url === '') throw badRequest('URL is required.')
    const [escape] = /%(?![0-9a-f]{2}).{0,2}/i.exec(url) ?? []
    if (escape !== undefined) throw badRequest(`Parse "${url}": invalid URL escape "${escape}".`)
    const [, scheme = ''] = /^([a-z][a-z0-9+.-]*):/i.exec(url) ?? []
    const host = URL.canParse(url) ? new URL(url).hostname : ''
    if (!isAdmin(actor) && isInternal(host)) throw new RecordError(403, 'Only admins can send to internal destinations.')
    return c.json({ err: `locating service for URL "${url}": unknown service: "${scheme}"` })
  })
}

const internal = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  internal.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  internal.addSubnet(network, bits, 'ipv6')

function isInternal(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(address)
  if (family === 0) return address.toLowerCase() === 'localhost'
  return internal.check(address, family === 4 ? 'ipv4' : 'ipv6')
}
