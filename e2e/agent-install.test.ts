import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'
import { DRIVE_ACCESS_COMMAND } from '../agent/src/collect/disk-health/drive-access.ts'
import { isNativeBuilt } from '../tools/native-agent.ts'
import { bootMachine, type NoMachine, type SystemdMachine } from './systemd-machine.ts'
import { freePort } from '../tools/free-port.ts'

/** CAP_DAC_OVERRIDE, CAP_SYS_RAWIO and CAP_SYS_ADMIN. */
const FOR_DRIVES = (1n << 1n) | (1n << 17n) | (1n << 21n)

/** The capabilities in `/proc/PID/status`, proc(5). */
function rightsIn(status: string) {
  const valueOf = (name: string, prefix = ''): bigint => BigInt(prefix + (new RegExp(`^${name}:\\s*(\\w+)$`, 'm').exec(status)?.[1] ?? ''))
  return {
    CapEff: valueOf('CapEff', '0x'),
    CapBnd: valueOf('CapBnd', '0x'),
    CapAmb: valueOf('CapAmb', '0x'),
    NoNewPrivs: valueOf('NoNewPrivs'),
    Seccomp: valueOf('Seccomp'),
  }
}

// The dialog's commands run unchanged on a machine booted by systemd, with the native executable if it was built, else with the Node.js agent.
describe('commands of the Add System dialog on a machine with systemd', { timeout: 8 * STEP_MS }, () => {
  let hub: PagesHub
  let admin: Session
  let machine: SystemdMachine | NoMachine
  const stack = new AsyncDisposableStack()
  before(async () => {
    machine = stack.use(await bootMachine())
    hub = stack.use(await startPagesHub())
    admin = await hub.createAdmin()
  })
  after(() => stack.disposeAsync())

  /** Opens the dialog with this machine's address. */
  async function openDialog(page: Page, name: string, port: number) {
    await page.goto('/')
    await page.getByRole('banner').getByRole('button', { name: 'Add System' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('[value^=ssh-ed25519]').waitFor()
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByLabel('Host').fill('127.0.0.1')
    await dialog.getByLabel('Port').fill(String(port))
    await dialog.getByRole('button', { name: 'systemd service' }).click()
    return dialog
  }

  async function copied(page: Page, dialog: Locator, piece: string): Promise<string> {
    await page.evaluate(`navigator.clipboard.writeText('')`)
    await dialog.getByRole('button', { name: `Copy: ${piece}` }).click()
    await page.getByText('Copied to clipboard', { exact: true }).first().waitFor()
    return page.evaluate<string>('navigator.clipboard.readText()')
  }

  test('install command brings up the system in a sandbox, and uninstall command removes everything', async (t) => {
    if (machine.kind === 'none') return t.skip(machine.reason)
    const { run, written } = machine
    const succeed = async (line: string): Promise<string> => {
      const { status, said } = await run(line)
      assert.equal(status, 0, `${line}\n${said}`)
      return said
    }
    await using page = await hub.openPage(admin)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const port = await freePort()
    const dialog = await openDialog(page, 'installed', port)
    await auditPage(page, 'how the agent is installed')
    const install = await copied(page, dialog, 'Installation')
    const remove = await copied(page, dialog, 'Uninstall')
    const unit = await copied(page, dialog, 'Service unit')

    await t.test('install command does not run a script with another checksum', async () => {
      const sum = /echo '([0-9a-f]{64}) {2}install\.sh'/.exec(install)?.[1] ?? ''
      const { status, said } = await run(install.replace(sum, '0'.repeat(64)))
      assert.notEqual(status, 0)
      assert.match(said, /did NOT match/)
      assert.deepEqual(written(), [])
    })

    await t.test('install command creates only the files of the agent', async () => {
      await succeed(install)
      assert.deepEqual(
        written().toSorted(),
        [
          'etc/systemd/system/multi-user.target.wants/vedette-agent.service',
          'etc/systemd/system/vedette-agent.service',
          'etc/vedette-agent.env',
          'usr/local/bin/vedette-agent',
          'var/lib/vedette-agent',
        ].toSorted(),
      )
      assert.doesNotMatch(await succeed('ls /tmp'), /^tmp\./m)
    })

    await t.test('installed service unit equals the unit in the dialog', async () => {
      const settings = (text: string) =>
        text.split('\n').filter((line) => /^[A-Z]/.test(line) && !/^(SupplementaryGroups|MemoryDenyWriteExecute)=/.test(line))
      assert.deepEqual(settings(await succeed('cat /etc/systemd/system/vedette-agent.service')), settings(unit))
      assert.equal(await succeed('systemd-analyze verify /etc/systemd/system/vedette-agent.service'), '')
      const exposure = await succeed('systemd-analyze security vedette-agent --no-pager')
      const [, level] = /Overall exposure level for vedette-agent\.service: ([\d.]+)/.exec(exposure) ?? []
      assert.ok(Number(level) <= 2, exposure)
    })

    await t.test('added system gets the status up', async () => {
      await dialog.getByRole('button', { name: 'Add System' }).click()
      const row = page.getByRole('row', { name: /installed/ })
      await row.locator('[data-status=up]').waitFor()
    })

    await t.test('agent process has no capabilities, and its files are private', async () => {
      const pid = (await succeed('systemctl show -P MainPID vedette-agent')).trim()
      const status = await succeed(`cat /proc/${pid}/status`)
      assert.doesNotMatch(status, /^Uid:\s+0\s/m)
      assert.deepEqual(rightsIn(status), { CapEff: 0n, CapBnd: 0n, CapAmb: 0n, NoNewPrivs: 1n, Seccomp: 2n })
      assert.equal((await succeed('stat -c %a /etc/vedette-agent.env')).trim(), '600')
      assert.match(await succeed('ls /var/lib/private/vedette-agent'), /ssh_host_ed25519_key/)
    })

    await t.test('agent service has limits on memory and tasks', async (limits) => {
      const shown = await succeed('systemctl show -p MemoryMax -p TasksMax -p NoNewPrivileges -p CapabilityBoundingSet vedette-agent')
      assert.deepEqual(
        shown.trim().split('\n').toSorted(),
        ['CapabilityBoundingSet=', 'MemoryMax=268435456', 'NoNewPrivileges=yes', 'TasksMax=64'].toSorted(),
      )
      const group = (await succeed('systemctl show -P ControlGroup vedette-agent')).trim()
      const { status, said } = await run(`cat /sys/fs/cgroup${group}/memory.max /sys/fs/cgroup${group}/pids.max`)
      if (status === 0) assert.deepEqual(said.trim().split('\n'), ['268435456', '64'])
      else limits.diagnostic('no memory controller of control groups version 2 here: that the kernel holds the limits was not checked')
    })

    await t.test("drop-in for drives grants capabilities to the agent's programs only, and keeps the sandbox", async (dropIn) => {
      // A stub in place of smartctl records its capabilities when the hub requests the health of drives.
      const seen = '/var/lib/private/vedette-agent/seen'
      await succeed(`printf '#!/bin/sh\\ncat /proc/self/status >${seen}\\n' >/usr/local/sbin/smartctl; chmod 755 /usr/local/sbin/smartctl`)
      await succeed(DRIVE_ACCESS_COMMAND)
      // When the file exists, the agent has read the drives and so has dropped its own capabilities.
      await succeed(`until [ -s ${seen} ]; do sleep 0.1; done`)
      const pid = (await succeed('systemctl show -P MainPID vedette-agent')).trim()
      const status = await succeed(`cat /proc/${pid}/status`)
      const { CapEff, ...rights } = rightsIn(status)
      assert.deepEqual(rights, { CapBnd: FOR_DRIVES, CapAmb: FOR_DRIVES, NoNewPrivs: 1n, Seccomp: 2n })
      // On Node.js a process cannot drop its effective capabilities.
      assert.equal(CapEff, isNativeBuilt() ? 0n : FOR_DRIVES)
      const exposure = await succeed('systemd-analyze security vedette-agent --no-pager')
      dropIn.diagnostic(/Overall exposure level.*/.exec(exposure)?.[0] ?? '')
      assert.deepEqual(rightsIn(await succeed(`cat ${seen}`)), { CapEff: FOR_DRIVES, ...rights })
      await succeed(`rm /usr/local/sbin/smartctl ${seen}`)
    })

    await t.test('install command run again reinstalls the agent and keeps its identity', async () => {
      const hostKey = await succeed('cat /var/lib/private/vedette-agent/ssh_host_ed25519_key')
      await succeed(install)
      assert.equal(await succeed('cat /var/lib/private/vedette-agent/ssh_host_ed25519_key'), hostKey)
      assert.equal((await succeed('systemctl is-active vedette-agent')).trim(), 'active')
    })

    await t.test('uninstall command removes everything', async () => {
      await succeed(remove)
      assert.deepEqual(written(), [])
      assert.equal(await succeed('ls -A /var/lib/private'), '')
      assert.match((await run('systemctl status vedette-agent')).said, /could not be found/)
      await page
        .getByRole('row', { name: /installed/ })
        .locator('[data-status=down]')
        .waitFor()
    })

    await t.test('install command for an agent that connects to the hub also adds the system', async () => {
      const again = await openDialog(page, '', await freePort())
      await again.getByRole('switch', { name: 'The agent connects to this hub' }).click()
      await again.getByLabel('Installation').filter({ hasText: 'TOKEN=' }).waitFor()
      await succeed(await copied(page, again, 'Installation'))
      await again.getByRole('button', { name: 'Cancel' }).click()
      await page
        .getByRole('row', { name: new RegExp(hostname()) })
        .locator('[data-status=up]')
        .waitFor()
      await succeed(remove)
      assert.deepEqual(written(), [])
    })
  })
})
