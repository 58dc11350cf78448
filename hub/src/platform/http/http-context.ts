import type { HttpBindings } from '@hono/node-server'

/**
 * Type parameter of the hub's Hono app: Node.js bindings and request variables. The bindings are absent in tests that call the app without
 * a server.
 */
export type HttpContext = {
  Bindings: Partial<HttpBindings>
  /**
   * Values that middleware stores in a request's context. `address` is the IP address of the client, behind trusted proxies that of the
   * forwarding header; `''` in tests without a server.
   */
  Variables: { address: string }
}
