import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { signInFirst, type Identified, type Proof } from '../../accounts/auth.ts'
import { isLoopback } from '../../platform/network/ip-address.ts'
import { isAdmin, type Actor } from '../../records/model/actor.ts'
import { RecordError } from '../../records/model/record-error.ts'

/** What every handler knows of its request beside the request itself. */
export type RequestContext = { Bindings: Partial<HttpBindings>; Variables: { actor: Actor; proof: Proof | undefined; address: string } }

/** Who asks, and how they are known; undefined for a guest. */
export function identified(c: Context<RequestContext>): Identified | undefined {
  const { actor, proof } = c.var
  return actor === undefined || proof === undefined ? undefined : { actor, proof }
}

/** The same of somebody who must be known. Throws 401 for a guest. */
export function signedIn(c: Context<RequestContext>): Identified {
  const known = identified(c)
  if (known === undefined) throw signInFirst()
  return known
}

/** The same of an admin. Throws 401 for a guest, 403 for anybody else. */
export function askedByAdmin(c: Context<RequestContext>): Identified {
  const known = signedIn(c)
  if (!isAdmin(known.actor)) throw new RecordError(403, 'The authorized record is not allowed to perform this action.')
  return known
}

/** Who is at the other end, as far as trusted proxies tell; `''` when there is nobody, as in a test without a port. */
export function remoteAddress(c: Context<RequestContext>): string {
  return c.var.address
}

const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'cf-connecting-ip', 'via']

/**
 * Whether somebody on this machine asks, directly. A proxy on this machine forwards for others, and what it says of them can
 * be made up: with any header of its kind, nobody is here.
 */
export function isFromHere(c: Context<RequestContext>): boolean {
  if (forwarding.some((name) => c.req.header(name) !== undefined)) return false
  return isLoopback(remoteAddress(c))
}

/** Somebody who signed in as a person: an account of `_superusers` alone has nothing of its own. Throws 401 for a guest, else 403. */
export function askedByPerson(
  c: Context<RequestContext>,
  message = 'The authorized record is not allowed to perform this action.',
): Identified {
  const known = signedIn(c)
  if (known.proof.collection.viewOf !== undefined) throw new RecordError(403, message)
  return known
}
