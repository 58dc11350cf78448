/** What a container of the agent needs to be told. */
export type AgentContainer = { readonly port: string; readonly publicKey: string }

/**
 * A compose definition of the agent: host network (it measures the host's), the engine's socket read only, restarted
 * unless stopped. `FILESYSTEM` is only needed where the root filesystem's device cannot be told by itself.
 */
export function composeText({ port, publicKey }: AgentContainer): string {
  return `services:
  vedette-agent:
    image: "vedette-monitor/vedette-agent"
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
