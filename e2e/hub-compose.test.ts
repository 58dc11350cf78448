import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { programNotices, writeProgram } from '../tools/build-program.ts'
import { freePort } from '../tools/free-port.ts'
import { agentImage, hubImage } from '../tools/images/hub-image.ts'
import { programNamed } from '../tools/installed-programs.ts'
import { isNativeBuilt, nativeAgent, nativeFolder } from '../tools/native-agent.ts'
import { root } from '../tools/rules/source-tree.ts'
import { loadImage } from './load-image.ts'
import { startOwnEngine } from './own-engine.ts'
import { scratchFolder } from './programs.ts'

const account = { email: 'admin@example.com', password: 'correct horse battery' }

if (process.env['VEDETTE_LONG'] === '1')
  test(
    'hub-and-agent.yaml: the hub is healthy, and the agent of the machine registers by itself; hub.yaml starts a hub alone',
    { timeout: 600_000 },
    async (t) => {
      const compositor = programNamed('docker-compose')
      if (compositor === undefined) return t.skip('there is no docker-compose here')
      if (!isNativeBuilt()) return t.skip('the native agent is not built')
      await using made = new AsyncDisposableStack()
      const engine = await startOwnEngine('machine').catch((error: unknown) => String(error))
      if (typeof engine === 'string') return t.skip(engine)
      made.use(engine)
      const { path: folder } = made.use(scratchFolder())
      const port = await freePort()
      const env = {
        PATH: process.env['PATH'],
        HOME: folder,
        DOCKER_HOST: engine.address,
        VEDETTE_PUBLISH: `127.0.0.1:${port}`,
        VEDETTE_PORT: `${port}`,
        VEDETTE_APP_URL: `http://127.0.0.1:${port}`,
      }
      const run = async (program: string, ...args: readonly string[]): Promise<string> => {
        const { stdout, stderr } = await promisify(execFile)(program, args, { env, cwd: folder })
        return `${stdout}${stderr}`
      }
      const bridge = spawnSync('docker', ['network', 'create', 'probe'], { env, encoding: 'utf8' })
      if (bridge.status !== 0) return t.skip(`the engine has no networks here: ${bridge.stderr.trim()}`)

      const program = join(folder, 'vedette')
      await writeProgram({ node: process.execPath, output: program })
      const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'
      loadImage(engine.address, hubImage({ program, notices: programNotices(), architecture }).tar)
      const notices = readFileSync(join(nativeFolder, 'licenses.txt'), 'utf8')
      loadImage(engine.address, agentImage({ program: nativeAgent(process.arch), notices, architecture }).tar)
      copyFileSync(join(root, 'hub', 'compose', 'hub-and-agent.yaml'), join(folder, 'compose.yaml'))

      made.defer(async () => void (await run(compositor, 'down', '--volumes')))
      await run(compositor, 'up', '--detach')
      const log = await run(compositor, 'logs', 'hub')
      const code = /Set-up code for the first admin, needed from other machines: (\S+)/.exec(log)?.[1] ?? ''
      const post = async (path: string, body: object) => {
        const response = await fetch(`http://127.0.0.1:${port}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
        assert.equal(response.status, 200, await response.clone().text())
        return response
      }
      await post('/api/beszel/create-user', { ...account, setupCode: code })
      const signedIn = await post('/api/collections/users/auth-with-password', { identity: account.email, password: account.password })
      const { token } = (await signedIn.json()) as { readonly token: string } // the documented response
      const isUp = async (): Promise<boolean> => {
        const response = await fetch(`http://127.0.0.1:${port}/api/collections/systems/records`, { headers: { authorization: token } })
        const { items } = (await response.json()) as { readonly items: readonly { readonly status: string }[] } // the documented response
        return items.some(({ status }) => status === 'up')
      }
      while (!(await isUp())) await setImmediate()

      await run(compositor, 'down', '--volumes')
      copyFileSync(join(root, 'hub', 'compose', 'hub.yaml'), join(folder, 'compose.yaml'))
      await run(compositor, 'up', '--detach')
      const isHealthy = async (): Promise<boolean> => (await run(compositor, 'ps')).includes('(healthy)')
      while (!(await isHealthy())) await setImmediate()
      const response = await fetch(`http://127.0.0.1:${port}/api/health`)
      assert.equal(response.status, 200)
      assert.match(await run(compositor, 'top'), /65532/, 'the hub is no longer root')
    },
  )
