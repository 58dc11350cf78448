/**
 * Returns the text of the configuration of a HAProxy before several hubs. Each new connection goes to a healthy hub with the fewest
 * connections. Event streams and agents' WebSockets are never cut, since both carry data at least once a minute.
 */
export const haproxyConfig = (listen: string, hubs: readonly { readonly name: string; readonly address: string }[]): string => `
defaults
  mode http
  timeout connect 5s
  timeout client 90s
  timeout server 90s
  timeout tunnel 10m
  option forwardfor
  option redispatch
  retries 2

frontend vedette
  bind ${listen}
  default_backend hubs

backend hubs
  balance leastconn
  option httpchk GET /api/health
  default-server check inter 3s fastinter 1s downinter 1s fall 2 rise 1
${hubs.map(({ name, address }) => `  server ${name} ${address}`).join('\n')}
`
