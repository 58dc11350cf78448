import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { agentHost } from './agent-host.ts'
import { testedHost } from './conformance/tested-host.ts'

/** A folder with a stub of an allowed program, and a writable folder. */
async function scene() {
  const folder = await mkdtemp(join(tmpdir(), 'vedette-confined-'))
  const programs = join(folder, 'programs')
  const own = join(folder, 'own')
  await mkdir(programs)
  await mkdir(own)
  const install = async (): Promise<void> => {
    await writeFile(join(programs, 'smartctl'), '#!/bin/sh\necho hello\n')
    await chmod(join(programs, 'smartctl'), 0o755)
  }
  const end = () => rm(folder, { recursive: true })
  return { own, programs, elsewhere: join(folder, 'elsewhere'), install, [Symbol.asyncDispose]: end }
}

const limits = { mode: 'whole', deadlineMs: 5000, maxOutputBytes: 1000 } as const
const data = new Uint8Array(1)

test('confine reports the restrictions that hold and those that it could not apply', async () => {
  await using tested = await testedHost()
  const { holds, lacks } = await tested.runtime.confine({ programs: [], writable: [] })
  if (agentHost === 'native') assert.deepEqual([holds[0], holds.at(-1)], ['no new privileges', 'runs no program, few system calls'])
  else assert.deepEqual([holds.length, lacks.length], [0, 1])
})

if (agentHost === 'native') {
  test('confine lets the agent write only its own files if the kernel supports that', async () => {
    await using place = await scene()
    await using tested = await testedHost()
    const { runtime } = tested
    const { holds } = await runtime.confine({ programs: [], writable: [place.own] })
    assert.equal(await runtime.writeFile(join(place.own, 'file'), data, 0o600), null)
    assert.equal(await runtime.remove(join(place.own, 'file')), null)
    const outcome = await runtime.writeFile(place.elsewhere, data, 0o600)
    assert.equal(outcome !== null, holds.includes('writes only its own files'))
  })

  test('confine forbids all programs for good when no wanted program is installed', async () => {
    await using place = await scene()
    await using tested = await testedHost({ programFolders: [place.programs] })
    await tested.runtime.confine({ programs: ['smartctl'], writable: [] })
    await place.install()
    await tested.runtime.exec(1, ['smartctl', '--scan', '-j'], limits)
    const [, event] = await tested.next('onExec')
    assert.match((event as { reason?: string }).reason ?? '', /gave up running programs: start it again/)
  })

  test('confine still allows a wanted program that is installed', async () => {
    await using place = await scene()
    await place.install()
    await using tested = await testedHost({ programFolders: [place.programs] })
    await tested.runtime.confine({ programs: ['smartctl'], writable: [] })
    await tested.runtime.exec(1, ['smartctl', '--scan', '-j'], limits)
    const [, event] = await tested.next('onExec')
    assert.equal((event as { kind: string }).kind, 'exited')
  })
}
