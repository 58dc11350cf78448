import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Actor } from '../records/actor.ts'

/** What every handler knows of its request beside the request itself. */
export type Signed = { Bindings: Partial<HttpBindings>; Variables: { actor: Actor } }

/** The address at the other end of the connection; `''` when there is none, as in a test without a port. */
export function remoteAddress(c: Context<Signed>): string {
  return c.env?.incoming?.socket.remoteAddress ?? ''
}

const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'cf-connecting-ip', 'via']

/**
 * Whether somebody on this machine asks, directly. A proxy on this machine forwards for others, and what it says of them can
 * be made up: with any header of its kind, nobody is here.
 */
export function isFromHere(c: Context<Signed>): boolean {
  if (forwarding.some((name) => c.req.header(name) !== undefined)) return false
  const address = remoteAddress(c).replace(/^::ffff:/, '')
  return address === '::1' || address.startsWith('127.')
}
