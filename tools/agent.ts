import { hasNohup } from '../hub/src/startup/stop-request.ts'
import { agentProgram } from './native-agent.ts'

/** Becomes the agent, which ends with its npm. Started with nohup(1), it goes on when the SIGHUP of a closed terminal ends npm. */
if (process.execve === undefined) throw new Error('Cannot start the agent: this system cannot replace a process')
const agent = [...agentProgram(), ...process.argv.slice(2)] as const
const { VEDETTE_ENDS_WITH: npm, ...environment } = process.env
const goesOn = hasNohup(process.env)
// Node gave SIGHUP its default action back; the shell ignores it again.
const [program, ...args] = goesOn ? (['/bin/sh', '-c', 'trap "" HUP; exec "$@"', 'sh', ...agent] as const) : agent
process.execve(program, [program, ...args], npm === undefined || goesOn ? environment : { ...environment, VEDETTE_ENDS_WITH: npm })
