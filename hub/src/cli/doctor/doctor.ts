import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { systemClock } from '../../platform/clock.ts'
import { hubOptions, parseHubConfig, type HubConfig } from '../../startup/config.ts'
import { holderOf } from '../../startup/data-directory.ts'
import { endProcess } from '../../startup/end-process.ts'
import { describeOptions, type Environment } from '../../startup/options/options.ts'
import { checkAddress, checkHub, checkNatsServers, checkProxy } from './address-checks.ts'
import { checkKey, checkDatabaseServer, checkDatabaseFile } from './database-checks.ts'
import { checkBackups, checkClock, checkFolder, checkSpace, checkTls } from './file-checks.ts'
import { failing, findingOf, findingText, isHung, works, type Finding } from './finding.ts'

/** Timeout of one check of `vedette doctor`, in ms (10 s), except those of databases. A hung network file system never responds. */
const CHECK_MS = 10_000
/**
 * Timeout of the check of the hub's database by `vedette doctor`, in ms (130 s); a check that takes longer fails. Checking a large SQLite
 * file takes minutes.
 */
const DATABASE_MS = 130_000

/**
 * Output and environment of `vedette doctor`: `environment` has the environment variables of the process, and `say` prints one line to
 * standard output.
 */
type DoctorTerminal = { readonly environment: Environment; readonly say: (line: string) => void }

/**
 * Runs `vedette doctor`: checks the machine, the data folder and the servers of a hub, prints a line for each, and changes nothing. Takes
 * the options of the hub. Resolves with the exit status: 1 if a check failed, otherwise 0. After a check that hung it ends the process with
 * that status.
 */
export async function runDoctor(args: readonly string[], { environment, say }: DoctorTerminal): Promise<number> {
  if (args.includes('--help')) {
    say(
      `vedette doctor ${VEDETTE_VERSION}: checks this machine and the data of a hub, also while it runs\n\n${describeOptions(hubOptions)}`,
    )
    return 0
  }
  const parsed = parseHubConfig(args, environment)
  const settings = parsed.ok ? [works('settings', 'no contradictions')] : parsed.problems.map((problem) => failing('settings', problem))
  const findings = [...settings, ...(parsed.ok ? await findingsOf(parsed.config) : [])]
  for (const finding of findings) say(findingText(finding))
  const status = findings.some(({ state }) => state === 'failing') ? 1 : 0
  // A file operation that hangs would keep this process alive.
  return findings.some(isHung) ? endProcess(status) : status
}

async function findingsOf(config: HubConfig): Promise<readonly Finding[]> {
  const { dataDirectory: directory, database, backupFolder } = config
  const check = (name: string, work: () => Promise<Finding> | Finding) => findingOf(name, CHECK_MS, work)
  const folder = await check('data folder', () => checkFolder(directory))
  const now = (): number => systemClock.now()
  // The folder may be missing, or hang; then nothing in it can be checked.
  if (isHung(folder) || !existsSync(directory)) return [folder]
  const holder = holderOf(directory)
  const checkDatabase = () =>
    database === undefined ? checkDatabaseFile(directory, holder !== undefined) : checkDatabaseServer(database.url.reveal(), now)
  let states: Awaited<ReturnType<typeof checkDatabase>>['states']
  let others: readonly Finding[] = []
  const first = await findingOf('database', DATABASE_MS, async () => {
    const report = await checkDatabase()
    states = report.states
    const [main = failing('database', 'no result'), ...rest] = report.findings
    others = rest
    return main
  })
  return [
    folder,
    await check('space', () => checkSpace(directory)),
    await check('clock', () => checkClock(directory, now())),
    await check('hub', () => checkHub(holder)),
    await check('address', () => checkAddress(config, holder)),
    await check('TLS', () => checkTls(config.tls, now())),
    await check('public URL', () => checkProxy(config)),
    first,
    ...others,
    await check('secret key', () => checkKey(config, states)),
    await check('NATS', () => checkNatsServers(config)),
    await check('backups', () => checkBackups(backupFolder ?? join(directory, 'backups'), now())),
  ]
}
