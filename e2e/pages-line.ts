import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { BrowserContextOptions } from 'playwright-core'
import type { Session } from './pages-hub.ts'

/** TCP proxy between a browser and a hub, with functions by which a test cuts and restores the network. */
export type Line = AsyncDisposable & {
  /** Returns the options for a new browser page that is signed in and whose requests pass through this proxy. */
  readonly options: (session: Session) => BrowserContextOptions
  /** Cuts the network: closes all connections through the proxy and each new one, until `mend` is called. */
  readonly cut: () => void
  readonly mend: () => void
}

export async function startLine(hubAddress: string): Promise<Line> {
  const { hostname, port: hubPort } = new URL(hubAddress)
  const open = new Set<Socket>()
  let isCut = false
  const join = (from: Socket, to: Socket) => {
    open.add(from)
    from.pipe(to)
    from.on('error', () => to.destroy())
    from.on('close', () => {
      open.delete(from)
      to.destroy()
    })
  }
  const server = createServer((near) => {
    if (isCut) return void near.destroy()
    const far = connect(Number(hubPort), hostname)
    join(near, far)
    join(far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server's address is an object
  const origin = `http://127.0.0.1:${port}`
  const cut = () => {
    isCut = true
    for (const socket of open) socket.destroy()
  }
  return {
    options: (session) => ({
      baseURL: origin,
      storageState: { cookies: [], origins: [{ origin, localStorage: [{ name: 'pocketbase_auth', value: JSON.stringify(session) }] }] },
    }),
    cut,
    mend: () => {
      isCut = false
    },
    async [Symbol.asyncDispose]() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
