/** Settings of an agent. */
export type AgentOptions = {
  readonly port: string
  readonly publicKey: string
  /** Where it connects, and the token by which it adds itself; undefined: the hub connects to it. */
  readonly dials?: { readonly hubUrl: string; readonly token: string } | undefined
}

/**
 * A compose definition of the agent: host network (it measures the host's), the engine's socket read only, restarted
 * unless stopped. `FILESYSTEM` is only needed where the root filesystem's device cannot be told by itself.
 */
export function composeText({ port, publicKey, dials }: AgentOptions, image: string): string {
  const dialled = dials === undefined ? '' : `      HUB_URL: ${composed(dials.hubUrl)}\n      TOKEN: ${composed(dials.token)}\n`
  return `services:
  vedette-agent:
    image: "${image}"
    container_name: "vedette-agent"
    restart: unless-stopped
    network_mode: host
    volumes:
      - /var/run/docker.sock:/var/run/docker.sock:ro
    environment:
      PORT: ${port}
      KEY: "${publicKey}"
${dialled}      # FILESYSTEM: /dev/sda1 # device or partition whose disk I/O is measured`
}

/** A text in YAML that compose takes as it is: a dollar would name a variable. */
const composed = (text: string): string => JSON.stringify(text).replaceAll('$', () => '$$')
