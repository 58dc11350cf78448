import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { writeProgram } from '../tools/build-program.ts'
import { buildDebianPackage } from '../tools/debian-package.ts'
import { freePort } from '../tools/free-port.ts'
import { root } from '../tools/rules/source-tree.ts'
import { scratchFolder } from './programs.ts'
import { bootMachine, type NoMachine, type SystemdMachine } from './systemd-machine.ts'

const unit = join(root, 'program', 'packages', 'vedette.service')

test('unit of the hub: systemd rates its exposure at 2.0 or less', (context) => {
  if (!existsSync('/usr/bin/systemd-analyze')) return context.skip('systemd is not installed')
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit], {
    encoding: 'utf8',
  })
  assert.equal(status, 0, stdout + stderr)
})

/** The short suite leaves out the machine with systemd. */
const isLong = process.env['VEDETTE_LONG'] === '1'

describe('Debian package on a machine with systemd', { timeout: 240_000 }, () => {
  const stack = new AsyncDisposableStack()
  let machine: SystemdMachine | NoMachine
  let deb = ''

  before(async () => {
    if (!isLong) return
    machine = stack.use(await bootMachine())
    if (machine.kind === 'none') return
    const folder = stack.use(scratchFolder()).path
    const program = join(folder, 'vedette')
    await writeProgram({ node: process.execPath, output: program })
    deb = join(folder, 'vedette.deb')
    const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'
    await buildDebianPackage({ program, architecture, output: deb, compression: 'none' })
  })

  after(() => stack.disposeAsync())

  if (isLong)
    test('install starts a sandboxed hub, a second install keeps its data, and remove stops it and keeps the data', async (context) => {
      if (machine.kind === 'none') return context.skip(machine.reason)
      const { run } = machine
      const succeed = async (line: string): Promise<string> => {
        const { status, said } = await run(line)
        assert.equal(status, 0, `${line}\n${said}`)
        return said
      }
      const port = await freePort()
      const address = `http://127.0.0.1:${port}`
      const isServing = async (): Promise<void> => {
        while (
          !(await fetch(`${address}/api/health`).then(
            ({ ok }) => ok,
            () => false,
          ))
        )
          assert.doesNotMatch((await run('systemctl is-failed vedette.service')).said, /^failed/, 'the hub failed')
      }
      // The machine shares only the network with the test.
      const server = createServer((_, response) => void createReadStream(deb).pipe(response)).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port: debPort } = server.address() as { readonly port: number } // a TCP server's
      await succeed(
        `node -e "fetch('http://127.0.0.1:${debPort}').then(async (it) => fs.writeFileSync('/srv/vedette.deb', await it.bytes()))"`,
      )
      server.close()
      await succeed(`mkdir -p /etc/vedette && echo VEDETTE_LISTEN=127.0.0.1:${port} > /etc/vedette/vedette.env`)
      await succeed(`dpkg --force-confold --install /srv/vedette.deb`)
      await isServing()
      assert.match(await succeed('systemctl show vedette.service --property=ExecMainPID,DynamicUser,ActiveState'), /DynamicUser=yes/)
      const identity = await succeed('ps -o user= -C vedette || true')
      assert.doesNotMatch(identity, /\broot\b/)
      const created = await fetch(`${address}/api/beszel/create-user`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'admin@example.com', password: 'correct horse battery' }),
      })
      assert.equal(created.status, 200)

      await succeed(`dpkg --force-confold --install /srv/vedette.deb`)
      await isServing()
      const signedIn = await fetch(`${address}/api/collections/users/auth-with-password`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ identity: 'admin@example.com', password: 'correct horse battery' }),
      })
      assert.equal(signedIn.status, 200)

      await succeed('dpkg --remove vedette')
      assert.match((await run('systemctl is-active vedette.service')).said, /^(inactive|unknown)/)
      assert.match(await succeed('dpkg --purge vedette'), /rm -r \/var\/lib\/private\/vedette/)
      await succeed('test -d /var/lib/private/vedette')
      await assert.rejects(fetch(`${address}/api/health`))
    })
})
