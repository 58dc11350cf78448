import type { AgentContainer } from './compose-text.ts'

/** The agent's own port; also what stands in a command while the port that is typed is none. */
const AGENT_PORT = '45876'

const portOf = (typed: string): string => (/^\d{1,5}$/.test(typed.trim()) ? typed.trim() : AGENT_PORT)

/** Runs the agent's one file in a shell, for as long as that is open. */
export const fileCommand = ({ port, publicKey }: AgentContainer): string => `KEY="${publicKey}" PORT=${portOf(port)} node vedette-agent.mjs`

/**
 * A service that runs the same file as a user of its own, with a folder for what the agent keeps; see systemd.exec(5). The group of
 * the container engine is a comment: where there is none the service would not start.
 */
export const systemdUnit = ({ port, publicKey }: AgentContainer): string => `[Unit]
Description=Vedette agent
Wants=network-online.target
After=network-online.target

[Service]
Environment="KEY=${publicKey}" PORT=${portOf(port)}
ExecStart=/usr/bin/env node /opt/vedette/vedette-agent.mjs
DynamicUser=yes
StateDirectory=vedette-agent
# SupplementaryGroups=docker
Restart=always
RestartSec=5

[Install]
WantedBy=multi-user.target`
