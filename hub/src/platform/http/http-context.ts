import type { HttpBindings } from '@hono/node-server'

/** Environment type of the hub's Hono app. The Node.js bindings are absent in tests that call the app without a port. */
export type HttpContext = {
  Bindings: Partial<HttpBindings>
  /** Variables of a request. `address` is the client's IP address according to trusted proxies; `''` in tests without a port. */
  Variables: { address: string }
}
