import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { startHub } from '../hub.ts'
import { logTo, type Log } from '../platform/log.ts'
import { hubOptions, parseHubConfig } from '../startup/config.ts'
import { endProcess } from '../startup/end-process.ts'
import { describeOptions, mistypedNames } from '../startup/options/options.ts'
import { UnusableError } from '../startup/proved-start.ts'
import { stopRequested } from '../startup/stop-request.ts'

/**
 * Maximum time for stopping the hub, in ms (4.5 s). Then the process ends itself by force. All steps have shorter timeouts, except a
 * database server that hangs.
 */
const STOP_WITHIN_MS = 4500

const MISUSED = 2

/**
 * Runs a hub in this process until it is stopped, and sets the exit status: 0 stopped, 1 start failed, hub replaced or stop too slow, 2
 * wrong usage. A hub that must restart, for example to restore a backup, starts again on the same port.
 */
export async function runHub(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  if (args.includes('--help')) return say(`vedette hub ${VEDETTE_VERSION}\n\n${describeOptions(hubOptions)}`)
  if (args.includes('--version')) return say(VEDETTE_VERSION)
  const parsed = parseHubConfig(args, environment)
  if (!parsed.ok) {
    for (const problem of parsed.problems) complain(problem)
    process.exitCode = MISUSED
    return
  }
  const logOf = logTo(complain, parsed.config.logLevel)
  const log = logOf('hub')
  for (const { name, meant } of mistypedNames(hubOptions, environment)) log.warn('unknown setting', { name, meant })
  const stopped = stopSignal(environment, log)
  try {
    let { config } = parsed
    for (let goesOn = true; goesOn;) {
      const hub = await startHub(config, logOf)
      // A restart keeps the port, also if the system chose it.
      config = { ...config, listen: { ...config.listen, port: hub.port } }
      say(`Vedette ${VEDETTE_VERSION} listens on ${hub.address}`)
      if (hub.setupCode !== undefined) say(`Set-up code for the first admin, needed from other machines: ${hub.setupCode}`)
      const refusal = hub.replaced.then((sentence) => {
        complain(sentence)
        process.exitCode = 1
        return false
      })
      goesOn = await Promise.race([hub.restartWanted.then(() => true), stopped.then(() => false), refusal])
      await hub.close()
    }
    // Everything is stored. A pending DNS lookup or a silent agent must not keep the process alive.
    endProcess(Number(process.exitCode ?? 0))
  } catch (error) {
    if (!(error instanceof UnusableError)) throw error
    complain(error.message)
    process.exitCode = 1
  }
}

async function stopSignal(environment: NodeJS.ProcessEnv, log: Log): Promise<void> {
  await stopRequested(environment)
  setTimeout(() => {
    log.error('the hub did not stop in time and was terminated', { ms: STOP_WITHIN_MS, waitsFor: process.getActiveResourcesInfo() })
    endProcess(1)
  }, STOP_WITHIN_MS).unref()
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

function complain(text: string): void {
  process.stderr.write(`${text}\n`)
}
