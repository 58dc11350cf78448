import { guardObjectPrototype } from '@vedette/protocol/guarded-prototype'
import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { startAgent } from './agent.ts'
import { helpText } from './config/help.ts'
import { readConfig } from './config/config.ts'
import { candidateFolders } from './link/data-folder.ts'
import { fingerprintCommand } from './link/fingerprint-command.ts'
import { isHealthy } from './link/health-file.ts'
import { print } from './print.ts'
import type { Runtime } from './runtime/runtime.ts'

/**
 * Runs the agent, or the subcommand that its command line names. It is the entry point of the agent's program on both runtimes, Node and
 * native.
 */
export async function runProgram(runtime: Runtime): Promise<void> {
  guardObjectPrototype()
  const result = readConfig(runtime)
  switch (result.kind) {
    case 'help':
      runtime.print(helpText())
      break
    case 'version':
      runtime.print(`vedette-agent ${VEDETTE_VERSION}\n`)
      break
    case 'refused':
      runtime.log('error', `The agent does not start; ${result.problems.length} thing(s) to put right:`)
      for (const problem of result.problems) runtime.log('error', problem)
      runtime.exit(1)
      break
    case 'print':
      await print(runtime, result.command, result)
      runtime.exit(0)
      break
    case 'health': {
      const healthy = isHealthy(runtime, candidateFolders(runtime, result.dataFolder))
      runtime.print(healthy ? 'ok\n' : 'no agent is at work here\n')
      runtime.exit(healthy ? 0 : 1)
      break
    }
    case 'update':
      runtime.log(
        'error',
        'Only the native executable "vedette-agent" updates itself: use "vedette update", or run the install command of the hub again',
      )
      runtime.exit(1)
      break
    case 'fingerprint':
      runtime.exit(fingerprintCommand(runtime, result.command))
      break
    case 'run':
      startAgent(runtime, result.config)
      break
  }
}
