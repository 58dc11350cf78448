/**
 * Options of an agent's installation: port of its SSH server, and the hub's public SSH key. An agent that connects to the hub also has the
 * hub's URL and a token.
 */
export type AgentOptions = {
  readonly port: string
  readonly publicKey: string
  /**
   * Hub's URL and enrolment token, for an agent that connects to the hub by WebSocket; `undefined` when the hub connects to the agent by
   * SSH.
   */
  readonly dials?: { readonly hubUrl: string; readonly token: string } | undefined
}

/**
 * Returns the text of a Docker Compose file that runs the agent from the container image `image`. It uses the host's network, to measure
 * the host, and the Docker socket read-only.
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

/** Returns a text as a quoted YAML string for a Docker Compose file. `$` is doubled, because Compose would expand it as a variable. */
const composed = (text: string): string => JSON.stringify(text).replaceAll('$', () => '$$')
