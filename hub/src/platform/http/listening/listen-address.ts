/** Address of a TCP server on which the hub listens. `host`: IP address or name; `port`: 0 for any free port. */
export type TcpAddress = { readonly host: string; readonly port: number }

/** Address of the hub's server on a Unix domain socket, unix(7). `mode`: permissions of the socket file, such as 0o660. */
export type UnixSocketAddress = { readonly path: string; readonly mode: number }

/** Address on which the hub listens: a TCP address or a Unix socket. */
export type ListenAddress = TcpAddress | UnixSocketAddress

export const isUnixSocket = (address: ListenAddress): address is UnixSocketAddress => 'path' in address

/** Prefix of a Unix socket's address in texts, such as `unix:/run/vedette/hub.sock`. */
export const UNIX_PREFIX = 'unix:'

/** Formats a listen address for messages: `127.0.0.1:8090` or `unix:/run/vedette/hub.sock`. */
export const listenAddressText = (address: ListenAddress): string =>
  isUnixSocket(address) ? `${UNIX_PREFIX}${address.path}` : `${address.host}:${address.port}`
