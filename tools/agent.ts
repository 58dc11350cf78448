import { hasNohup } from '../hub/src/startup/stop-request.ts'
import { agentProgram } from './native-agent.ts'

// Replaces this process by the agent (execve), which ends together with its npm. Started with nohup(1), the agent continues when the SIGHUP
// of a closed terminal ends npm.
if (process.execve === undefined) throw new Error('Cannot start the agent: this system cannot replace a process')
const agent = [...agentProgram(), ...process.argv.slice(2)] as const
const { VEDETTE_ENDS_WITH: npm, ...environment } = process.env
const goesOn = hasNohup(process.env)
// Node resets the action of SIGHUP; the shell ignores it again.
const [program, ...args] = goesOn ? (['/bin/sh', '-c', 'trap "" HUP; exec "$@"', 'sh', ...agent] as const) : agent
process.execve(program, [program, ...args], npm === undefined || goesOn ? environment : { ...environment, VEDETTE_ENDS_WITH: npm })
