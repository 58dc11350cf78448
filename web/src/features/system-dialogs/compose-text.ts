/**
 * Settings for the installation of an agent: its port, the hub's public SSH key, and the hub's URL and token if the agent opens the
 * connection.
 */
export type AgentOptions = {
  readonly port: string
  readonly publicKey: string
  /**
   * Object with the hub's URL and a token, for an agent that opens the connection to the hub; `undefined` when the hub connects to the
   * agent.
   */
  readonly dials?: { readonly hubUrl: string; readonly token: string } | undefined
}

/** Returns the text of a Docker Compose file for the agent: host network, to measure the host; the Docker socket read-only. */
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

/** Returns a text quoted as a YAML string for Docker Compose. `$` is doubled, because Compose would take it as a variable. */
const composed = (text: string): string => JSON.stringify(text).replaceAll('$', () => '$$')
