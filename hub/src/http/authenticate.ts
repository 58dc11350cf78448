import type { MiddlewareHandler } from 'hono'
import type { Auth } from '../auth/auth.ts'
import type { Signed } from './signed.ts'

/** Learns who asks from the `Authorization` header, with or without `Bearer`. A token that is not good is no error: its bearer is a guest. */
export function authenticate(auth: Auth): MiddlewareHandler<Signed> {
  return async (c, next) => {
    const token = (c.req.header('authorization') ?? '').replace(/^bearer /i, '')
    const identified = token === '' ? undefined : await auth.identify(token)
    c.set('actor', identified?.actor)
    c.set('proof', identified?.proof)
    await next()
  }
}
