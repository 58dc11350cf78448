import type { HttpBindings } from '@hono/node-server'

/** Hono's environment of this server. The bindings are absent in tests without a port. */
export type HttpContext = {
  Bindings: Partial<HttpBindings>
  /** `address`: of the client according to trusted proxies; `''` in tests without a port. */
  Variables: { address: string }
}
