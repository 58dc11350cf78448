import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { agentImage } from '../tools/images/hub-image.ts'
import { isNativeBuilt, nativeAgent, nativeFolder } from '../tools/native-agent.ts'
import { loadImage } from './load-image.ts'
import { startOwnEngine } from './own-engine.ts'
import { startPagesHub, STEP_MS } from './pages-hub.ts'
import { scratchFolder } from './programs.ts'
import { freePort } from '../tools/free-port.ts'

/** The programs that run compose files, in order of preference. */
const compositors = [['docker', 'compose'], ['docker-compose']] as const

test('compose text of the dialog runs unchanged and brings up the system with its containers', { timeout: 8 * STEP_MS }, async (t) => {
  const compositor = compositors.find(([program, ...args]) => spawnSync(program, [...args, 'version']).status === 0)
  const missing = isNativeBuilt() ? (compositor === undefined ? 'there is no docker compose' : undefined) : 'the native agent is not built'
  if (missing !== undefined || compositor === undefined) return t.skip(missing)
  await using made = new AsyncDisposableStack()
  const engine = await startOwnEngine('machine').catch((error: unknown) => error)
  if (!isEngine(engine)) return t.skip(String(engine))
  made.use(engine)
  const { path: folder } = made.use(scratchFolder())
  const run = async (program: string, ...args: readonly string[]): Promise<string> => {
    const env = { PATH: process.env['PATH'], HOME: folder, DOCKER_BUILDKIT: '0', DOCKER_HOST: engine.address }
    return (await promisify(execFile)(program, args, { env, cwd: folder })).stdout.trim()
  }
  const image = `vedette-compose-${randomBytes(4).toString('hex')}`
  const notices = readFileSync(join(nativeFolder, 'licenses.txt'), 'utf8')
  const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'
  loadImage(engine.address, agentImage({ program: nativeAgent(process.arch), notices, architecture, name: image }).tar)

  const hub = made.use(await startPagesHub({ args: ['--agent-image', image] }))
  await using page = await hub.openPage(await hub.createAdmin())
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/')
  await page.getByRole('banner').getByRole('button', { name: 'Add System' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('[value^=ssh-ed25519]').waitFor()
  await dialog.getByLabel('Name').fill('composed')
  await dialog.getByLabel('Host').fill('127.0.0.1')
  await dialog.getByLabel('Port').fill(String(await freePort()))
  await dialog.getByRole('button', { name: 'Copy docker compose' }).click()
  await page.getByText('Copied to clipboard', { exact: true }).first().waitFor()
  writeFileSync(join(folder, 'docker-compose.yml'), await page.evaluate<string>('navigator.clipboard.readText()'))

  const [program, ...args] = compositor
  await run(program, ...args, 'up', '--detach')
  made.defer(async () => {
    await run(program, ...args, 'down')
  })
  await dialog.getByRole('button', { name: 'Add System' }).click()
  await page
    .getByRole('row', { name: /composed/ })
    .locator('[data-status=up]')
    .waitFor()
  // The agent sees the engine's containers, including its own. The check is repeated because a busy engine may respond late.
  while (!/^ok containers /m.test(await run('docker', 'exec', 'vedette-agent', '/vedette-agent', 'doctor'))) await setImmediate()
  const [mounts, restart] = (
    await run('docker', 'inspect', '--format', '{{json .Mounts}} {{.HostConfig.RestartPolicy.Name}}', 'vedette-agent')
  ).split(' ')
  assert.match(mounts ?? '', /"Destination":"\/var\/run\/docker\.sock".*"RW":false/)
  assert.equal(restart, 'unless-stopped')
})

const isEngine = (value: unknown): value is AsyncDisposable & { readonly address: string } =>
  typeof value === 'object' && value !== null && 'address' in value
