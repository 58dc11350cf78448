import type { Context, Env, Next } from 'hono'

const METHODS = 'GET,HEAD,PUT,PATCH,POST,DELETE'

/**
 * Hono middleware that adds security headers to every response and CORS headers for requests with an `Origin` header. It answers CORS
 * preflights. Any origin is allowed, because tokens travel in a header, never in a cookie. Framing is limited to the same origin.
 */
export async function responseHeaders<E extends Env>(c: Context<E>, next: Next): Promise<void> {
  const isFromPage = c.req.header('origin') !== undefined
  if (c.req.method === 'OPTIONS' && isFromPage) c.res = preflight(c.req.header('access-control-request-headers') ?? '')
  else {
    await next()
    c.res.headers.append('vary', 'Origin')
  }
  if (isFromPage) c.res.headers.set('access-control-allow-origin', '*')
  c.res.headers.set('x-content-type-options', 'nosniff')
  c.res.headers.set('x-frame-options', 'SAMEORIGIN')
  c.res.headers.set('x-xss-protection', '1; mode=block')
  c.res.headers.set('referrer-policy', 'same-origin')
}

const preflight = (wantedHeaders: string): Response =>
  new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': wantedHeaders,
      'access-control-max-age': '86400',
      vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
    },
  })
