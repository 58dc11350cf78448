import { isSea } from 'node:sea'
import { guardObjectPrototype } from '@vedette/protocol/guarded-prototype'
import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { EXIT_COMMAND } from '../hub/src/startup/end-process.ts'
import type { ProgramCommands } from './launched-programs.ts'
import { agentTuning, hubTuning, isTuned, type Tuning } from './tuning.ts'

const HELP = `vedette ${VEDETTE_VERSION}: server monitoring in one file

  vedette start      Run a hub, and an agent for this machine. Options are those of the hub.
  vedette hub        Run a hub: its dashboard, history and alerts. --help lists the options.
  vedette agent      Run an agent for this machine, which reports to a hub. --help lists the options.
  vedette doctor     Check this machine, the data and the servers of a hub. --help lists the options.
  vedette update     Replace this program by a newer release. --help lists the options.
  vedette --version  Print the version.
`

/**
 * Runs the subcommand of the single executable that the first argument names, such as `hub` or `start`; without arguments it prints the
 * help. Only the code of that subcommand is loaded, which saves memory.
 */
async function main([command = '--help', ...args]: readonly string[]): Promise<void> {
  // oxlint-disable-next-line node/no-process-env -- the one place where this program's environment enters
  const environment = process.env
  if (command === EXIT_COMMAND) process.exit(Number(args[0]))
  if (command === '--version') return void process.stdout.write(`${VEDETTE_VERSION}\n`)
  if (command === 'agent') {
    runTuned(agentTuning, environment)
    process.argv.splice(2, 1)
    return void (await import('../agent/src/main.ts'))
  }
  guardObjectPrototype()
  if (command !== 'update') {
    const { becomeOwnUser } = await import('../hub/src/startup/options/own-user.ts')
    if (!becomeOwnUser(args, environment)) return
  }
  if (command === 'hub') {
    if (!args.includes('--help')) runTuned(hubTuning, environment)
    const { runHub } = await import('../hub/src/cli/run-hub.ts')
    return runHub(args, environment)
  }
  if (command === 'start') {
    const { startBoth } = await import('./start.ts')
    return startBoth(args, ownCommands(environment))
  }
  const { processTerminal } = await import('../hub/src/cli/standard-streams.ts')
  if (command === 'update') {
    const { runUpdate } = await import('./update/update-command.ts')
    process.exitCode = await runUpdate(args, processTerminal(environment))
    return
  }
  if (command === '--help') process.stdout.write(HELP)
  const { runCommand } = await import('../hub/src/cli/command-line.ts')
  process.exitCode = await runCommand([command, ...args], processTerminal(environment))
}

/**
 * Returns the command line argument `--node-options=…` with the Node.js flags of `tuning`. The single executable applies this argument
 * before its own code starts, because its build sets `execArgvExtension` to `cli`.
 */
const nodeOptions = ({ flags }: Tuning): string => `--node-options=${flags.join(' ')}`

/**
 * Returns the command lines with which `vedette start` starts this executable again as hub and as agent. They contain the Node.js flags
 * already, so that `runTuned` need not restart those processes.
 */
const ownCommands = (environment: NodeJS.ProcessEnv): ProgramCommands => ({
  hub: [process.execPath, nodeOptions(hubTuning), 'hub'],
  agent: [process.execPath, nodeOptions(agentTuning), 'agent'],
  environment,
  hubEnvironment: hubTuning.environment,
})

/**
 * Restarts this process (execve) with the Node.js flags and environment variables that its command needs, because both take effect only at
 * a start. Returns without a restart when it has them already, or is not the single executable.
 */
function runTuned(tuning: Tuning, environment: NodeJS.ProcessEnv): void {
  if (!isSea() || isTuned(tuning, process.execArgv)) return
  process.execve?.(process.execPath, [process.execPath, nodeOptions(tuning), ...process.argv.slice(2)], {
    ...environment,
    ...tuning.environment,
  })
}

await main(process.argv.slice(2))
