import type { Context } from 'hono'
import { signInFirst, type Identified } from '../../accounts/auth.ts'
import { isAdmin, type Actor } from '../../records/model/stored-record.ts'
import { RecordError } from '../../records/model/record-error.ts'
import { identified, type RequestContext } from '../requests/request-context.ts'

/** Required kind of session. A session of `users` is a person's; one of `_superusers` or of the oldest clients is an administrator's. */
export type Door = 'anyone' | 'signed in' | 'person' | 'admin' | 'person who is an admin' | 'oldest-generation admin'

/** Access to a route. `decidedBy` names a further check of the handler, such as an access rule or a token. */
export type RouteAccess = Door | { readonly door: Door; readonly decidedBy: string }

export type DoorOf<Access extends RouteAccess> = Access extends { readonly door: infer Inner } ? Inner : Access

/** The caller as a handler sees it. Every door except `anyone` requires an account. */
export type Caller<Access extends RouteAccess> =
  DoorOf<Access> extends 'anyone' ? { readonly actor: Actor; readonly proof: Identified['proof'] | undefined } : Identified

export const doorOf = (access: RouteAccess): Door => (typeof access === 'string' ? access : access.door)

/** Throws 401 for a guest, and 403 for an account without access. */
export function admit<const Access extends RouteAccess>(c: Context<RequestContext>, access: Access): Caller<Access> {
  const known = identified(c)
  check(doorOf(access), known)
  return (known ?? { actor: c.var.actor, proof: c.var.proof }) as Caller<Access> // check() throws for a guest at every other door
}

function check(door: Door, known: Identified | undefined): void {
  if (door === 'anyone') return
  if (door === 'oldest-generation admin') {
    if (known?.proof.collection.viewOf === undefined) throw oldestGenerationOnly()
    return
  }
  if (known === undefined) throw signInFirst()
  if (door !== 'admin' && door !== 'signed in' && known.proof.collection.viewOf !== undefined) throw notAllowed()
  if ((door === 'admin' || door === 'person who is an admin') && !isAdmin(known.actor)) throw notAllowed()
}

export const notAllowed = (): RecordError => new RecordError(403, 'The authorized record is not allowed to perform this action.')

export const oldestGenerationOnly = (): RecordError =>
  new RecordError(401, 'The request requires valid admin authorization token to be set.')
