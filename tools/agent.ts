import { agentProgram } from './native-agent.ts'

/** Becomes the agent. */
if (process.execve === undefined) throw new Error('Cannot start the agent: this system cannot replace a process')
const [program, ...first] = agentProgram()
process.execve(program, [program, ...first, ...process.argv.slice(2)], process.env)
