import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { agentImage } from '../tools/images/hub-image.ts'
import { isNativeBuilt, nativeAgent, nativeFolder } from '../tools/native-agent.ts'
import { signIn, signInFirst, startComposeMachine, type ComposeMachine } from './compose-machine.ts'
import { loadImage } from './load-image.ts'
import { importPostgresImage } from './postgres-image.ts'

const isHealthy = async ({ compose }: ComposeMachine): Promise<boolean> => (await compose('ps', 'hub')).includes('(healthy)')

if (process.env['VEDETTE_LONG'] === '1') {
  test(
    'hub-and-agent.yaml: the hub is healthy, and the agent of the machine registers by itself; hub.yaml starts a hub alone',
    { timeout: 600_000 },
    async (t) => {
      if (!isNativeBuilt()) return t.skip('the native agent is not built')
      await using machine = await startComposeMachine()
      if (machine.kind === 'none') return t.skip(machine.reason)
      const { hub, compose, architecture } = machine
      const notices = readFileSync(join(nativeFolder, 'licenses.txt'), 'utf8')
      loadImage(machine.engine, agentImage({ program: nativeAgent(process.arch), notices, architecture }).tar)
      await machine.start('hub-and-agent.yaml')
      const token = await signInFirst(machine)
      const isUp = async (): Promise<boolean> => {
        const response = await fetch(`${hub}/api/collections/systems/records`, { headers: { authorization: token } })
        const { items } = (await response.json()) as { readonly items: readonly { readonly status: string }[] } // the documented response
        return items.some(({ status }) => status === 'up')
      }
      while (!(await isUp())) await setImmediate()

      await compose('down', '--volumes')
      await machine.start('hub.yaml')
      while (!(await isHealthy(machine))) await setImmediate()
      assert.equal((await fetch(`${hub}/api/health`)).status, 200)
      assert.match(await compose('top'), /65532/, 'the hub is no longer root')
    },
  )

  test(
    'hub-postgres.yaml: the hub keeps its accounts in PostgreSQL, copies it with the programs of its image, and starts again on the same data',
    { timeout: 600_000 },
    async (t) => {
      await using machine = await startComposeMachine({ POSTGRES_PASSWORD: 'for-the-database' })
      if (machine.kind === 'none') return t.skip(machine.reason)
      const { hub, compose } = machine
      if (!importPostgresImage(machine.engine, 'postgres:17')) return t.skip('PostgreSQL is not installed here')
      await machine.start('hub-postgres.yaml')
      while (!(await isHealthy(machine))) await setImmediate()
      const token = await signInFirst(machine)
      const backup = await fetch(`${hub}/api/backups`, {
        method: 'POST',
        headers: { authorization: token, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'first.zip' }),
      })
      assert.equal(backup.status, 204, await backup.text())
      const listed = await fetch(`${hub}/api/backups`, { headers: { authorization: token } })
      assert.match(await listed.text(), /first\.zip/)

      await compose('down')
      await machine.start('hub-postgres.yaml')
      while (!(await isHealthy(machine))) await setImmediate()
      assert.notEqual(await signIn(hub), '')
    },
  )
}
