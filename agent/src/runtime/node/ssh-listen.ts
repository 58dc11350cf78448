import { unlinkSync } from 'node:fs'
import type { Server } from 'node:net'
import type { SshAddress } from '../runtime.ts'

/**
 * Starts a TCP or unix socket server at `address` and resolves with the TCP port; `undefined` for a unix socket. A socket file without a
 * running server is replaced. Rejects when it cannot listen, as for an address in use.
 */
export async function listenOn(server: Server, address: SshAddress): Promise<number | undefined> {
  try {
    await listenOnce(server, address)
  } catch (error) {
    if (address.kind !== 'unix' || !(await isAbandoned(address.path))) throw error
    unlinkSync(address.path)
    await listenOnce(server, address)
  }
  const bound = server.address()
  return typeof bound === 'object' && bound !== null ? bound.port : undefined
}

function listenOnce(server: Server, address: SshAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    const options =
      address.kind === 'unix'
        ? { path: address.path }
        : { port: address.port, ...(address.host === undefined ? {} : { host: address.host }), ipv6Only: address.ipv6Only === true }
    server.listen(options, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function isAbandoned(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = process.getBuiltinModule('node:net').connect({ path })
    probe.on('connect', () => {
      probe.destroy()
      resolve(false)
    })
    probe.on('error', (error) => resolve('code' in error && error.code === 'ECONNREFUSED'))
  })
}
