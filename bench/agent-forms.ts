import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startProgram } from '../e2e/programs.ts'
import { buildAgent } from '../tools/build-agent.ts'
import { builtNativeAgent } from '../tools/native-agent.ts'

export type AgentProcess = {
  readonly pid: number
  /** Sends a signal (SIGTERM by default) to the agent's process. Resolves when the process has ended. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<unknown>
}

/**
 * Form in which the agent is released, on Node or native, for the benchmarks. It says how to build and start the agent, and the allowed
 * maximum of each measured value.
 */
export type AgentForm = {
  /** Suffix of the benchmark ids for this form of the agent: `n` for the native agent, empty for the agent on Node. */
  readonly suffix: string
  readonly name: string
  /** Function that builds this form of the agent (Node or native) and resolves with the size of its executable or bundle in bytes. */
  readonly build: () => Promise<{ readonly bytes: number }>
  readonly start: (environment: Readonly<Record<string, string>>) => AgentProcess
  readonly bars: {
    /** Allowed maximum CPU time in ms that the agent needs for a full sample, by number of running containers (0, 3 or 10). */
    readonly sampleMs: Readonly<Record<0 | 3 | 10, number>>
    readonly privateMebibytes: number
    readonly residentMebibytes?: number
    readonly connectedMs: number
    readonly firstReplyMs?: number
    readonly firstAnswerMs: number
    readonly kilobytes: number
  }
}

export const onNode: AgentForm = {
  suffix: '',
  name: 'agent on Node',
  build: buildAgent,
  start: (environment) =>
    // The same option as in the first line of the program and in `npm run agent`.
    startProgram('agent/dist/vedette-agent.mjs', { environment: { NODE_OPTIONS: '--max-semi-space-size=1', ...environment } }),
  bars: { sampleMs: { 0: 2, 3: 3, 10: 5 }, privateMebibytes: 16, connectedMs: 150, firstAnswerMs: 250, kilobytes: 1000 },
}

export const native: AgentForm = {
  suffix: 'n',
  name: 'native agent',
  build: async () => builtNativeAgent(),
  start: (environment) => {
    const child = spawn(builtNativeAgent().path, [], { env: environment, stdio: ['ignore', 'ignore', 'inherit'] })
    const ended = once(child, 'exit')
    return {
      pid: child.pid ?? 0,
      async stop(signal = 'SIGTERM') {
        child.kill(signal)
        await ended
      },
    }
  },
  bars: {
    sampleMs: { 0: 1.6, 3: 2, 10: 4 },
    privateMebibytes: 2,
    residentMebibytes: 6,
    connectedMs: 15,
    firstReplyMs: 25,
    firstAnswerMs: 60,
    kilobytes: 6000,
  },
}
