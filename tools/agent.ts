import { hasNohup } from '../hub/src/startup/stop-request.ts'
import { agentProgram } from './native-agent.ts'

/** Becomes the agent, which ends with its npm, unless nohup(1) started them: the SIGHUP of a closed terminal still ends npm. */
if (process.execve === undefined) throw new Error('Cannot start the agent: this system cannot replace a process')
const [program, ...first] = agentProgram()
const { VEDETTE_ENDS_WITH: npm, ...environment } = process.env
process.execve(
  program,
  [program, ...first, ...process.argv.slice(2)],
  npm === undefined || hasNohup(process.env) ? environment : { ...environment, VEDETTE_ENDS_WITH: npm },
)
