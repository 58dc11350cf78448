import { execFile } from 'node:child_process'
import { chmodSync, chownSync, linkSync, renameSync, rmSync, statSync } from 'node:fs'
import { promisify } from 'node:util'
import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { fetchProgram, fetchSmall } from './download.ts'
import { isLater, programFileOf, readRelease, SUMS, SUMS_SIGNATURE, UpdateRefusedError } from './release-files.ts'

/**
 * Parameters of an update of a single executable: where the release is, which key signs it, which file to replace, and how to check the
 * service.
 */
export type UpdateOrder = {
  /** URL of the folder with the files of the release, such as `https://example.org/releases/1.2.0`, with or without a slash at its end. */
  readonly from: URL
  /** Text of the minisign public key file that must verify the release. */
  readonly publicKey: string
  /** Path of the executable file that the update replaces by the new version. */
  readonly program: string
  /** Name of the systemd service to restart after the replacement; `undefined` to restart nothing. */
  readonly service: string | undefined
  /** URL of the hub's health check, which responds with status 200 once the restarted service is healthy. */
  readonly healthUrl: URL
  readonly say: (text: string) => void
}

const run = promisify(execFile)
/** Timeout in ms for the downloaded executable to print its version, 30 s, before it replaces the old one. */
const PROBE_MS = 30_000
/**
 * Timeout in ms until the restarted service must be healthy, 2 min; a new hub migrates its database in that time. Then the old program is
 * restored.
 */
const HEALTHY_WITHIN_MS = 120_000
const LOOK_EVERY_MS = 500
/** Number of restarts by systemd after which a new version counts as broken and the old program is restored: 3. */
const MOST_RESTARTS = 3

/**
 * Replaces an executable by that of the release at an address, if the release is newer. It verifies signature and checksum, runs the new
 * file once, renames it over the old one and restarts the service. The old file stays as `PROGRAM.previous`; if the service does not become
 * healthy, it is restored and restarted. Rejects with an UpdateRefusedError, a SignatureError or a file's error; the old executable is then
 * in place.
 */
export async function update(order: UpdateOrder): Promise<void> {
  const { from, publicKey, program, say } = order
  const at = (name: string): URL => new URL(name, from.href.endsWith('/') ? from : `${from.href}/`)
  const release = readRelease(publicKey, (await fetchSmall(at(SUMS_SIGNATURE))).toString('utf8'), await fetchSmall(at(SUMS)))
  if (!isLater(release.version, VEDETTE_VERSION)) return say(`Vedette ${VEDETTE_VERSION} is up to date; the release is ${release.version}.`)
  const name = programFileOf(process.arch)
  const expected = release.checksums.get(name)
  if (expected === undefined) throw new UpdateRefusedError(`Release ${release.version} has no file ${name} for this machine`)
  const [fresh, previous] = [`${program}.new`, `${program}.previous`]
  rmSync(fresh, { force: true })
  try {
    say(`Downloading Vedette ${release.version}`)
    const sum = await fetchProgram(at(name), fresh)
    if (sum !== expected) throw new UpdateRefusedError(`The download of ${name} is damaged: its checksum is ${sum}, expected ${expected}`)
    const { mode, uid, gid } = statSync(program)
    chownSync(fresh, uid, gid)
    chmodSync(fresh, mode)
    await probe(fresh, release.version)
    rmSync(previous, { force: true })
    linkSync(program, previous)
    renameSync(fresh, program)
  } finally {
    rmSync(fresh, { force: true })
  }
  if (order.service === undefined) return say(`Vedette ${release.version} is installed. Restart it to use it.`)
  await restart(order, order.service, previous, release.version)
}

/**
 * Runs the downloaded executable with `--version`, to check that it works on this machine and prints the version `version` of the signed
 * checksum list. Otherwise rejects with an UpdateRefusedError.
 */
async function probe(path: string, version: string): Promise<void> {
  const { stdout } = await run(path, ['--version'], { timeout: PROBE_MS }).catch((error: unknown) => {
    throw new UpdateRefusedError(`The new program does not run on this machine: ${firstLineOf(error)}`)
  })
  if (stdout.trim() !== version) throw new UpdateRefusedError(`The new program is of version ${stdout.trim()}, expected ${version}`)
}

const firstLineOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? ''

async function restart({ program, healthUrl, say }: UpdateOrder, service: string, previous: string, version: string): Promise<void> {
  if (await isHealthyAfterRestart(service, healthUrl)) return say(`Vedette ${version} is running.`)
  renameSync(previous, program)
  const isBack = await isHealthyAfterRestart(service, healthUrl)
  throw new UpdateRefusedError(
    `Vedette ${version} did not become healthy, so the version before it was put back and ${isBack ? 'is running' : `does not run either: see "journalctl -u ${service}"`}`,
  )
}

/**
 * Restarts a systemd service. Resolves to true once it is active and `healthUrl` responds with a status of 200 to 299. Resolves to false
 * when systemd gave up, has restarted it 3 times, or 2 min have passed.
 */
async function isHealthyAfterRestart(service: string, healthUrl: URL): Promise<boolean> {
  const deadline = AbortSignal.timeout(HEALTHY_WITHIN_MS)
  await run('systemctl', ['reset-failed', service]).catch(() => undefined)
  await run('systemctl', ['restart', service]).catch(() => undefined)
  while (!deadline.aborted) {
    const { stdout } = await run('systemctl', ['show', '--property=ActiveState,NRestarts', service])
    const state = /^ActiveState=(\w+)$/m.exec(stdout)?.[1]
    const restarts = Number(/^NRestarts=(\d+)$/m.exec(stdout)?.[1])
    if (state === 'failed' || restarts >= MOST_RESTARTS) return false
    const isHealthy = await fetch(healthUrl, { signal: AbortSignal.timeout(5000) }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isHealthy && state === 'active') return true
    await new Promise((done) => setTimeout(done, LOOK_EVERY_MS))
  }
  return false
}
