import { setTimeout as wait } from 'node:timers/promises'
import type { NumberedAgent } from './numbered-agent.ts'
import type { auditWrites } from './write-audit.ts'

type Audit = Awaited<ReturnType<typeof auditWrites>>

const ASK_EVERY_MS = 200

/** Every system is owned by the hub to which its agent is connected. */
export async function settled(audit: Audit, agents: readonly NumberedAgent[]): Promise<void> {
  for (;;) {
    const owners = await audit.owners()
    if (agents.every((agent) => agent.connectedTo() !== undefined && owners.get(agent.name) === agent.connectedTo())) return
    await wait(ASK_EVERY_MS)
  }
}

/** Each agent connects anew, and its hub polls it and stores. */
export async function everyAgentIsStored(audit: Audit, agents: readonly NumberedAgent[]): Promise<void> {
  const before = new Map(agents.map((agent) => [agent, agent.answers.length]))
  for (const agent of agents) agent.redial()
  await untilAgents(agents, (agent) => agent.answers.length > (before.get(agent) ?? 0))
  for (;;) {
    const stored = new Set((await audit.samples()).map(({ at }) => at))
    if (agents.every(({ answers }) => stored.has(answers.at(-1)?.takenAtMs ?? 0))) return
    await wait(ASK_EVERY_MS)
  }
}

export async function untilAgents(agents: readonly NumberedAgent[], holds: (agent: NumberedAgent) => boolean): Promise<void> {
  while (!agents.every(holds)) await wait(ASK_EVERY_MS)
}
