import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { agentCommand, agentHost, driverProgram } from './agent-host.ts'
import { testedHost } from './conformance/tested-host.ts'

/** A user without rights of its own; root has those of programs' files anyway. */
const NOBODY = 65_534
const CAP_NET_RAW = 1n << 13n
const limits = { mode: 'whole', deadlineMs: 5000, maxOutputBytes: 100_000 } as const

const mayTry = process.getuid?.() === 0 && spawnSync('setcap', ['-h']).error === undefined
const skip = mayTry ? false : 'only root can give a file rights, with setcap'

type Given = 'nothing' | 'capabilities' | 'set-user-ID'

/** Where that user finds the driver, and a listed program that shows what it is told to; its file has rights of its own or not. */
async function scene(given: Given) {
  const folder = await mkdtemp(join(tmpdir(), 'vedette-rights-'))
  await chmod(folder, 0o755)
  const [programs, driver, elsewhere] = [join(folder, 'programs'), join(folder, 'test-driver'), join(folder, 'elsewhere')]
  await mkdir(programs)
  await mkdir(elsewhere)
  await chmod(elsewhere, 0o777)
  await copyFile(driverProgram(), driver)
  const program = join(programs, 'smartctl')
  await copyFile('/bin/cat', program)
  await chmod(program, given === 'set-user-ID' ? 0o4755 : 0o755)
  if (given === 'capabilities') execFileSync('setcap', ['cap_net_raw+ep', program])
  return { programs, program, driver, elsewhere, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

/** A line of `/proc/PID/status`. */
const valueIn = (status: string, name: string): string => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? ''

async function confinedBeside(given: Given) {
  await using place = await scene(given)
  await using tested = await testedHost({ programFolders: [place.programs], as: { user: NOBODY, driver: place.driver } })
  const { runtime, next } = tested
  const { holds, lacks } = await runtime.confine({ programs: ['smartctl'], writable: [] })
  await runtime.exec(1, ['smartctl', '/proc/self/status'], limits)
  const [, event] = await next('onExec')
  const { output } = event as { readonly output: Uint8Array }
  const own = (await runtime.readText('/proc/self/status')) ?? ''
  const wrote = (await runtime.writeFile(join(place.elsewhere, 'file'), new Uint8Array(1), 0o600)) === null
  return { holds, lacks, own, ran: new TextDecoder().decode(output), wrote, program: place.program }
}

if (agentHost === 'native') {
  test('confine takes nothing from a program whose file has capabilities, and says that nothing holds', { skip }, async () => {
    const { holds, lacks, own, ran, wrote, program } = await confinedBeside('capabilities')
    assert.deepEqual(holds, [])
    const why = `"${program}" has rights of its own by its file, which it would lose`
    assert.deepEqual(lacks, [{ what: 'no new privileges, system calls, files', why }])
    assert.deepEqual([valueIn(own, 'NoNewPrivs'), valueIn(own, 'Seccomp'), wrote], ['0', '0', true])
    assert.equal(BigInt(`0x${valueIn(ran, 'CapEff')}`), CAP_NET_RAW)
  })

  test('confine takes nothing from a program that is another user by its file', { skip }, async () => {
    const { holds, own, ran } = await confinedBeside('set-user-ID')
    assert.deepEqual([holds, valueIn(own, 'NoNewPrivs'), valueIn(ran, 'Uid').split(/\s+/)[1]], [[], '0', '0'])
  })

  test('confine holds beside the same program without rights of its own', { skip }, async () => {
    const { holds, lacks, own, ran, wrote } = await confinedBeside('nothing')
    assert.equal(holds[0], 'no new privileges')
    assert.deepEqual([valueIn(own, 'NoNewPrivs'), valueIn(own, 'Seccomp'), valueIn(ran, 'NoNewPrivs')], ['1', '2', '1'])
    assert.equal(BigInt(`0x${valueIn(ran, 'CapEff')}`), 0n)
    assert.equal(
      wrote,
      lacks.some(({ what }) => what === 'files'),
    )
  })

  /** The machine as it is, but for one program that has rights of its own; then nobody asks the doctor. */
  const withSmartctl = [
    'mount -t tmpfs none /usr/local/sbin',
    'cp /bin/cat /usr/local/sbin/smartctl',
    'setcap cap_sys_rawio+ep /usr/local/sbin/smartctl',
    'exec setpriv --reuid "$0" --regid "$0" --clear-groups -- "$@"',
  ].join('; ')

  test('the doctor says that it is not confined, and beside which program', { skip }, () => {
    const args = ['--mount', 'sh', '-ec', withSmartctl, String(NOBODY), ...agentCommand(), 'doctor']
    const env = { PATH: process.env['PATH'], DOCKER_HOST: '', SMART_INTERVAL: '1h' }
    const { stdout, stderr } = spawnSync('unshare', args, { encoding: 'utf8', timeout: 20_000, env })
    const lines = stdout.split('\n')
    const at = lines.findIndex((line) => /^ok agent +on native/.test(line))
    assert.match(lines[at] ?? '', /^ok agent +on native [\d.]+$/, stdout + stderr)
    const why = '"/usr/local/sbin/smartctl" has rights of its own by its file, which it would lose'
    assert.equal(lines[at + 1]?.trim(), `left out: no new privileges, system calls, files (${why})`)
  })
}
