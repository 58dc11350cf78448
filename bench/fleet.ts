import { setTimeout as wait } from 'node:timers/promises'
import { monotonicMs, sightingLog, tokenOf, type FleetOptions, type FleetOrder, type FleetReport } from './fleet-report.ts'
import { simulatedAgent } from './simulated-agent.ts'
import { simulatedMachines } from './simulated-machine.ts'
import { sshFleet } from './ssh-fleet.ts'
import { webSocketFleet } from './websocket-fleet.ts'

// A program with many agents in one process, over real sockets. Its parent controls it over IPC.

// The bench that starts this program wrote its argument.
const options = JSON.parse(process.argv[2] ?? '{}') as FleetOptions
const answers = sightingLog()
let problems: Record<string, number> = {}
const onProblem = (problem: string): void => void (problems[problem] = (problems[problem] ?? 0) + 1)

const fleet =
  options.link.kind === 'websocket'
    ? webSocketFleet({
        url: options.link.url,
        dialling: options.link.dialling,
        tokenOf: (index) => tokenOf(options.tokens, index),
        onProblem,
        nowMs: monotonicMs,
      })
    : sshFleet({ port: options.link.port, hubKeyLine: options.link.hubKeyLine, onProblem })
const machineOf = simulatedMachines(options.containers, options.link.kind)

async function dial(perSecond: number): Promise<void> {
  const startedAtMs = monotonicMs()
  for (let index = 0; index < options.count; index++) {
    const dueAtMs = startedAtMs + (index * 1000) / perSecond
    if (dueAtMs > monotonicMs()) await wait(dueAtMs - monotonicMs())
    const onDocument = (at: number, uptimeSeconds: number): void => answers.add(at, uptimeSeconds, monotonicMs())
    void fleet.start((onVerified) => simulatedAgent(index, machineOf(index), { onDocument, onVerified, nowMs: monotonicMs }))
  }
}

function report(): FleetReport {
  const told = { connected: fleet.connected(), answers: answers.take(), problems }
  problems = {}
  return told
}

process.on('message', (order: FleetOrder) => {
  if (order.order === 'dial') void dial(order.perSecond)
  else process.send?.(report())
})
process.on('disconnect', () => process.exit(0))
