import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { programNotices, writeProgram } from '../tools/build-program.ts'
import { freePort } from '../tools/free-port.ts'
import { hubImage } from '../tools/images/hub-image.ts'
import { programNamed } from '../tools/installed-programs.ts'
import { root } from '../tools/rules/source-tree.ts'
import { loadImage } from './load-image.ts'
import { startOwnEngine } from './own-engine.ts'
import { scratchFolder } from './programs.ts'

const ACCOUNT = { email: 'admin@example.com', password: 'correct horse battery' }

/** Container engine of a test with the hub's image, and a folder in which one compose file at a time is started. */
export type ComposeMachine = AsyncDisposable & {
  readonly kind: 'ready'
  /** Address of the container engine that the test uses, such as `unix:///tmp/a/engine.sock`, in the form of the variable `DOCKER_HOST`. */
  readonly engine: string
  /** URL at which the hub of the compose file that was started last responds. */
  readonly hub: string
  /** Architecture of the machine that runs the test, by Docker's name: `amd64` or `arm64`. */
  readonly architecture: 'amd64' | 'arm64'
  /** Runs docker-compose with these arguments. Resolves with the text of standard output and error, and rejects when it fails. */
  readonly compose: (...args: readonly string[]) => Promise<string>
  /**
   * Starts the containers of the repository's compose file with this name, in the test's folder. Resolves when they have started. If another
   * file was started before, call `compose('down')` first, or services that only that file has keep running.
   */
  readonly start: (name: string) => Promise<void>
}

/**
 * Result when this test cannot run: its machine has no permission or program to run containers with networks. `reason` says why, as text.
 */
export type NoComposeMachine = AsyncDisposable & { readonly kind: 'none'; readonly reason: string }

/**
 * Starts a container engine for a test, loads the hub's image and resolves with the engine. Needs root, docker-compose and the right to
 * create networks; otherwise the result has the kind `none` and a reason. `settings` are more variables of the compose files.
 */
export async function startComposeMachine(settings: Readonly<Record<string, string>> = {}): Promise<ComposeMachine | NoComposeMachine> {
  const none = (reason: string): NoComposeMachine => ({ kind: 'none', reason, [Symbol.asyncDispose]: () => Promise.resolve() })
  const compositor = programNamed('docker-compose')
  if (compositor === undefined) return none('there is no docker-compose here')
  await using made = new AsyncDisposableStack()
  const engine = await startOwnEngine('machine').catch((error: unknown) => String(error))
  if (typeof engine === 'string') return none(engine)
  made.use(engine)
  const { path: folder } = made.use(scratchFolder())
  const port = await freePort()
  const hub = `http://127.0.0.1:${port}`
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    DOCKER_HOST: engine.address,
    VEDETTE_PUBLISH: `127.0.0.1:${port}`,
    VEDETTE_PORT: `${port}`,
    VEDETTE_APP_URL: hub,
    ...settings,
  }
  const bridge = spawnSync('docker', ['network', 'create', 'probe'], { env, encoding: 'utf8' })
  if (bridge.status !== 0) return none(`the engine has no networks here: ${bridge.stderr.trim()}`)
  const program = join(folder, 'vedette')
  await writeProgram({ node: process.execPath, output: program })
  const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'
  loadImage(engine.address, hubImage({ program, notices: programNotices(), architecture }).tar)
  const compose = async (...args: readonly string[]): Promise<string> => {
    const { stdout, stderr } = await promisify(execFile)(compositor, args, { env, cwd: folder })
    return `${stdout}${stderr}`
  }
  const file = join(folder, 'compose.yaml')
  const start = async (name: string): Promise<void> => {
    copyFileSync(join(root, 'hub', 'compose', name), file)
    await compose('up', '--detach')
  }
  made.defer(async () => void (existsSync(file) && (await compose('down', '--volumes'))))
  const kept = made.move()
  return { kind: 'ready', engine: engine.address, hub, architecture, compose, start, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

/** Creates the first admin of the composed hub with the set-up code from its log, and signs in. Resolves with the session token. */
export async function signInFirst({ hub, compose }: ComposeMachine): Promise<string> {
  const log = await compose('logs', 'hub')
  const setupCode = /Set-up code for the first admin, needed from other machines: (\S+)/.exec(log)?.[1] ?? ''
  const created = await postJson(`${hub}/api/beszel/create-user`, { ...ACCOUNT, setupCode })
  assert.equal(created.status, 200, await created.text())
  return signIn(hub)
}

/** Signs in at the hub with this URL as the admin that {@link signInFirst} created. Resolves with the session token. */
export async function signIn(hub: string): Promise<string> {
  const response = await postJson(`${hub}/api/collections/users/auth-with-password`, {
    identity: ACCOUNT.email,
    password: ACCOUNT.password,
  })
  assert.equal(response.status, 200, await response.clone().text())
  const { token } = (await response.json()) as { readonly token: string } // the documented response
  return token
}

const postJson = (address: string, body: object): Promise<Response> =>
  fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
