import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { agentHost, driverProgram } from './agent-host.ts'
import { testedHost } from './conformance/tested-host.ts'

/** A user without capabilities; root already has those of programs' files. */
const NOBODY = 65_534
const limits = { mode: 'whole', deadlineMs: 5000, maxOutputBytes: 100_000 } as const

/** CAP_DAC_OVERRIDE, CAP_SYS_RAWIO and CAP_SYS_ADMIN, as the drop-in for drives gives them. */
const forDrives = ['dac_override', 'sys_rawio', 'sys_admin']
const FOR_DRIVES = (1n << 1n) | (1n << 17n) | (1n << 21n)

const mayTry = process.getuid?.() === 0 && ['setcap', 'setpriv'].every((name) => spawnSync(name, ['-h']).error === undefined)
const skip = mayTry ? false : 'only root can give rights, with setcap and setpriv'

type Given = 'nothing' | 'file capabilities' | 'set-user-ID' | 'ambient capabilities'

/** A folder that user can enter, with the driver and an allowed program that prints its capabilities. */
async function scene(given: Given) {
  const folder = await mkdtemp(join(tmpdir(), 'vedette-rights-'))
  await chmod(folder, 0o755)
  const [programs, driver, elsewhere] = [join(folder, 'programs'), join(folder, 'test-driver'), join(folder, 'elsewhere')]
  await mkdir(programs)
  await mkdir(elsewhere)
  await chmod(elsewhere, 0o777)
  await copyFile(driverProgram(), driver)
  const program = join(programs, 'smartctl')
  await writeFile(program, '#!/bin/sh\nexec /bin/cat /proc/self/status\n')
  await chmod(program, given === 'set-user-ID' ? 0o4755 : 0o755)
  if (given === 'file capabilities') execFileSync('setcap', ['cap_sys_rawio+ep', program])
  return { programs, driver, elsewhere, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

/** One line of `/proc/PID/status`. */
const valueIn = (status: string, name: string): string => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? ''
const capabilities = (status: string, name: string): bigint => BigInt(`0x${valueIn(status, name)}`)

async function confinedBeside(given: Given) {
  await using place = await scene(given)
  const ambient = given === 'ambient capabilities' ? forDrives : []
  await using tested = await testedHost({ programFolders: [place.programs], as: { user: NOBODY, driver: place.driver, ambient } })
  const { runtime, next } = tested
  const { holds, lacks } = await runtime.confine({ programs: ['smartctl'], writable: [] })
  await runtime.exec(1, ['smartctl', '--scan', '-j'], limits)
  const [, event] = await next('onExec')
  const { output } = event as { readonly output: Uint8Array }
  const own = (await runtime.readText('/proc/self/status')) ?? ''
  const wrote = (await runtime.writeFile(join(place.elsewhere, 'file'), new Uint8Array(1), 0o600)) === null
  return { holds, lacks, own, ran: new TextDecoder().decode(output), wrote }
}

if (agentHost === 'native') {
  for (const given of ['nothing', 'file capabilities', 'set-user-ID', 'ambient capabilities'] as const) {
    test(`confine still holds for a program with ${given} of its own`, { skip }, async () => {
      const { holds, lacks, own, ran, wrote } = await confinedBeside(given)
      assert.equal(holds[0], 'no new privileges')
      assert.equal(holds.at(-1), 'system calls of ordinary programs')
      assert.deepEqual([valueIn(own, 'NoNewPrivs'), valueIn(own, 'Seccomp')], ['1', '2'])
      assert.deepEqual([valueIn(ran, 'NoNewPrivs'), valueIn(ran, 'Uid').split(/\s+/)[1]], ['1', String(NOBODY)])
      assert.equal(
        wrote,
        lacks.some(({ what }) => what === 'files'),
      )
    })
  }

  test('confine passes the capabilities for drives to programs and drops them for the agent', { skip }, async () => {
    const { holds, own, ran } = await confinedBeside('ambient capabilities')
    assert.ok(holds.includes('leaves capabilities to its programs'))
    assert.equal(capabilities(own, 'CapEff'), 0n)
    assert.equal(capabilities(ran, 'CapEff'), FOR_DRIVES)
  })
}
