import type { MiddlewareHandler } from 'hono'
import type { RequestContext } from './requests/request-context.ts'

const METHODS = 'GET,HEAD,PUT,PATCH,POST,DELETE'

/** Headers of every answer: any origin may ask (tokens travel in a header, never in a cookie), nobody may frame or guess types. */
export const answerHeaders: MiddlewareHandler<RequestContext> = async (c, next) => {
  if (c.req.method === 'OPTIONS' && c.req.header('origin') !== undefined) {
    c.res = new Response(null, {
      status: 204,
      headers: {
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': c.req.header('access-control-request-headers') ?? '',
        'access-control-max-age': '86400',
        vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
      },
    })
  } else {
    await next()
    c.res.headers.append('vary', 'Origin')
  }
  if (c.req.header('origin') !== undefined) c.res.headers.set('access-control-allow-origin', '*')
  c.res.headers.set('x-content-type-options', 'nosniff')
  c.res.headers.set('x-frame-options', 'SAMEORIGIN')
  c.res.headers.set('x-xss-protection', '1; mode=block')
  c.res.headers.set('referrer-policy', 'same-origin')
}
