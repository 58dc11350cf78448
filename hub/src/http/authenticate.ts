import type { MiddlewareHandler } from 'hono'
import type { Auth } from '../accounts/auth.ts'
import type { ConnectionGuard } from './connections/connection-guard.ts'
import type { RequestContext } from './requests/request-context.ts'

/** Learns who asks from the `Authorization` header, with or without `Bearer`. A token that is not good is no error: its bearer is a guest. */
export function authenticate(auth: Auth, { proveAccount }: Pick<ConnectionGuard, 'proveAccount'>): MiddlewareHandler<RequestContext> {
  return async (c, next) => {
    const token = (c.req.header('authorization') ?? '').replace(/^bearer /i, '')
    const identified = token === '' ? undefined : await auth.identify(token)
    const incoming = c.env?.incoming
    if (identified !== undefined && incoming !== undefined) proveAccount(incoming, identified.actor.id)
    c.set('actor', identified?.actor)
    c.set('proof', identified?.proof)
    await next()
  }
}
