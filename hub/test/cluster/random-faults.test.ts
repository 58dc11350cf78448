import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { roundsOf } from '../longer-runs.ts'
import { withNats } from '../nats-server.ts'
import { assertNothingLostOrDoubled } from './fault-invariants.ts'
import { faultyHubs, type FaultyHubs, type Outage } from './faulty-hubs.ts'
import type { NumberedAgent } from './numbered-agent.ts'
import { describeFault, randomFaults, type Fault, type HubName } from './random-faults.ts'
import { everyAgentIsStored, settled, untilAgents } from './settled-agents.ts'

const FAULTS = 50
/** A round takes two minutes. */
const ROUNDS = roundsOf({ short: 0, long: 2, soak: 40 })
const AGENTS = 60
const SEED = process.env['VEDETTE_FAULTS_SEED']
/** Longer than a hub needs to store a received sample. */
const RESTLESS_AFTER_MS = 3000

for (let round = 0; round < ROUNDS; round++) {
  test(
    `${FAULTS} random faults on three hubs neither lose nor double a sample (${round})`,
    { timeout: 600_000, ...withNats },
    async (t) => {
      const seed = SEED === undefined ? randomInt(2 ** 31) : Number(SEED) + round
      t.diagnostic(`VEDETTE_FAULTS_SEED=${seed} repeats the faults`)
      await using hubs = await faultyHubs()
      const said: string[] = []
      try {
        await meet(hubs, randomFaults(seed, FAULTS), said)
      } catch (error) {
        throw new Error(`${String(error)}\nVEDETTE_FAULTS_SEED=${seed}\n${said.join('\n')}\n${hubs.complaints()}`, { cause: error })
      }
    },
  )
}

async function meet(hubs: FaultyHubs, faults: readonly Fault[], said: string[]): Promise<void> {
  const agents = Array.from({ length: AGENTS }, (_, index) => hubs.agent(`machine ${index}`, index))
  await untilAgents(agents, ({ answers }) => answers.length > 0)
  const systems = await hubs.addAlerts()
  assert.equal(systems.size, AGENTS)
  const calm = beRestless(agents.slice(0, AGENTS / 2))
  const outages = await injectAll(hubs, faults, said)
  calm()
  said.push(`${new Date().toISOString()} over`)
  await settled(hubs.audit, agents)
  await everyAgentIsStored(hubs.audit, agents)
  await assertNothingLostOrDoubled({ hubs, agents, systems, outages })
  assert.deepEqual(hubs.surprises, [])
}

/** Injects each fault at its time. Faults of one hub follow each other; those of different hubs overlap. */
async function injectAll(hubs: FaultyHubs, faults: readonly Fault[], said: string[]): Promise<readonly Outage[]> {
  const last = new Map<HubName, Promise<unknown>>()
  const injected: Promise<readonly Outage[]>[] = []
  for (const fault of faults) {
    await wait(fault.afterMs)
    const one = Promise.all(fault.hubs.map((name) => last.get(name) ?? Promise.resolve())).then(() => {
      said.push(`${new Date().toISOString()} ${describeFault(fault)}`)
      return hubs.inject(fault)
    })
    one.catch(() => {})
    for (const name of fault.hubs) last.set(name, one)
    injected.push(one)
  }
  return (await Promise.all(injected)).flat()
}

/** Some agents reconnect repeatedly, so that there is always a sample to store. */
function beRestless(agents: readonly NumberedAgent[]): () => void {
  const timer = setInterval(() => {
    for (const agent of agents) if (Date.now() - (agent.answers.at(-1)?.sentAtMs ?? Date.now()) > RESTLESS_AFTER_MS) agent.redial()
  }, RESTLESS_AFTER_MS / 10)
  return () => clearInterval(timer)
}
