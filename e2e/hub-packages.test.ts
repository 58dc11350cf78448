import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { programNotices, writeProgram } from '../tools/build-program.ts'
import { buildDebianPackage } from '../tools/debian-package.ts'
import { freePort } from '../tools/free-port.ts'
import { programNamed } from '../tools/installed-programs.ts'
import { hubPackage } from '../tools/package-contents.ts'
import { buildRpmPackage } from '../tools/rpm-package.ts'
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

/** Command lines of a package manager. Debian has no list of RPM packages, so rpm does not check what a package needs. */
const formats = {
  deb: {
    manager: 'dpkg-deb',
    build: buildDebianPackage,
    install: 'dpkg --force-confold --install /srv/vedette.deb',
    reinstall: 'dpkg --force-confold --install /srv/vedette.deb',
    remove: 'dpkg --remove vedette',
  },
  rpm: {
    manager: 'rpmbuild',
    build: buildRpmPackage,
    install: 'rpm --install --nodeps /srv/vedette.rpm',
    reinstall: 'rpm --upgrade --replacepkgs --nodeps /srv/vedette.rpm',
    remove: 'rpm --erase vedette',
  },
} as const

describe('packages of the hub on a machine with systemd', { timeout: 240_000 }, () => {
  const stack = new AsyncDisposableStack()
  let machine: SystemdMachine | NoMachine
  let folder = ''

  before(async () => {
    if (!isLong) return
    machine = stack.use(await bootMachine())
    if (machine.kind === 'none') return
    folder = stack.use(scratchFolder()).path
    await writeProgram({ node: process.execPath, output: join(folder, 'vedette') })
  })

  after(() => stack.disposeAsync())

  for (const [format, { manager, build, install, reinstall, remove }] of isLong ? Object.entries(formats) : [])
    test(`${format}: install starts a sandboxed hub, a second install keeps its data, and remove stops it and keeps the data`, async (context) => {
      if (machine.kind === 'none') return context.skip(machine.reason)
      if (programNamed(manager) === undefined) return context.skip(`${manager} is not installed`)
      const { run } = machine
      const succeed = async (line: string): Promise<string> => {
        const { status, said } = await run(line)
        assert.equal(status, 0, `${line}\n${said}`)
        return said
      }
      const address = `http://127.0.0.1:${await freePort()}`
      const isServing = async (): Promise<void> => {
        while (
          !(await fetch(`${address}/api/health`).then(
            ({ ok }) => ok,
            () => false,
          ))
        )
          assert.doesNotMatch((await run('systemctl is-failed vedette.service')).said, /^failed/, 'the hub failed')
      }
      const post = (path: string, body: object): Promise<Response> =>
        fetch(`${address}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
      const admin = { email: `${format}@example.com`, password: 'correct horse battery' }

      const file = join(folder, `vedette.${format}`)
      const architecture = process.arch === 'arm64' ? 'arm64' : 'x64'
      const contents = hubPackage({ program: join(folder, 'vedette'), architecture, notices: programNotices() })
      await build({ contents, output: file, compression: 'none' })
      // The machine shares only the network with the test.
      const server = createServer((_, response) => void createReadStream(file).pipe(response)).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port: filePort } = server.address() as { readonly port: number } // a TCP server's
      await succeed(
        `node -e "fetch('http://127.0.0.1:${filePort}').then(async (it) => fs.writeFileSync('/srv/vedette.${format}', await it.bytes()))"`,
      )
      server.close()
      await succeed(`mkdir -p /etc/vedette && echo VEDETTE_LISTEN=${new URL(address).host} > /etc/vedette/vedette.env`)
      await succeed(install)
      await isServing()
      assert.match(await succeed('systemctl show vedette.service --property=ExecMainPID,DynamicUser,ActiveState'), /DynamicUser=yes/)
      assert.equal((await succeed('systemctl is-enabled vedette.service')).trim(), 'enabled')
      const identity = await succeed('ps -o user= -C vedette || true')
      assert.doesNotMatch(identity, /\broot\b/)
      const created = await post('/api/beszel/create-user', admin)
      assert.equal(created.status, 200)

      const before = await succeed('systemctl show vedette.service --property=MainPID')
      await succeed(reinstall)
      await isServing()
      assert.notEqual(await succeed('systemctl show vedette.service --property=MainPID'), before, 'the hub was restarted')
      const signedIn = await post('/api/collections/users/auth-with-password', { identity: admin.email, password: admin.password })
      assert.equal(signedIn.status, 200)

      await succeed('systemctl disable --now vedette.service')
      await succeed(reinstall)
      assert.match((await run('systemctl is-active vedette.service')).said, /^inactive/, 'a service that was switched off stays off')
      assert.match((await run('systemctl is-enabled vedette.service')).said, /^disabled/)

      assert.match(await succeed(remove), /rm -r \/var\/lib\/private\/vedette/)
      assert.match((await run('systemctl is-active vedette.service')).said, /^(inactive|unknown)/)
      await succeed('test -d /var/lib/private/vedette')
      await assert.rejects(fetch(`${address}/api/health`))
      if (format === 'deb') await succeed('dpkg --purge vedette')
      await succeed('rm -r /var/lib/private/vedette /var/lib/vedette; rm -rf /etc/vedette')
    })
})
