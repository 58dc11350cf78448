/** What an agent is told. */
export type AgentOptions = { readonly port: string; readonly publicKey: string }

/**
 * A compose definition of the agent: host network (it measures the host's), the engine's socket read only, restarted
 * unless stopped. `FILESYSTEM` is only needed where the root filesystem's device cannot be told by itself.
 */
export function composeText({ port, publicKey }: AgentOptions, image: string): string {
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
      # FILESYSTEM: /dev/sda1 # device or partition whose disk I/O is measured`
}
