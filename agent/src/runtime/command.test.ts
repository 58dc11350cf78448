import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { inheritedName } from '../../../protocol/test/hostile-names.ts'
import { createCommands, isDevicePath, isDeviceType, restartDelayMs } from './command.ts'
import { createLoop } from './deadline.ts'
import { memoryRuntime, type MemoryProgram } from './memory-runtime.ts'
import { byteTools } from './node/byte-tools.ts'

function world(play: (program: MemoryProgram) => void = () => undefined) {
  const programs: MemoryProgram[] = []
  const memory = memoryRuntime({
    files: {},
    bytes: byteTools,
    run: (program) => {
      programs.push(program)
      play(program)
    },
  })
  return { ...memory, programs, commands: createCommands(memory.runtime, createLoop(memory.runtime)) }
}

const output = (text: string) => ({ kind: 'exited', exitCode: 0, output: byteTools.utf8(text) }) as const

test('Commands.run builds arguments only from a checked device and type, and never wakes a drive', async () => {
  const { commands, programs } = world(({ tell }) => tell(output('{}')))
  await commands.run({ name: 'smartctl scan' })
  await commands.run({ name: 'smartctl read', device: '/dev/sda', statistics: false })
  await commands.run({ name: 'smartctl read', device: '/dev/sdb', type: 'sat', statistics: true })
  await commands.run({ name: 'smartctl read', device: '/dev/nvme0', type: 'nvme', statistics: false })
  await commands.run({ name: 'smartctl read', device: '/dev/bus/0', type: 'megaraid,5', statistics: false })
  assert.deepEqual(
    programs.map(({ argv }) => argv.join(' ')),
    [
      'smartctl --scan -j',
      'smartctl -a --json=c -n standby /dev/sda',
      'smartctl -d sat -a --json=c -l devstat -n standby /dev/sdb',
      'smartctl -d nvme -a --json=c /dev/nvme0',
      'smartctl -d megaraid,5 -a --json=c -n standby /dev/bus/0',
    ],
  )
})

for (const device of ['-s off', '/dev/../etc/shadow', '/dev/sda;id', '/dev/sda\n', '/etc/passwd', '/dev/', '/dev/$(id)', '']) {
  test(`bug class 30: Commands.run refuses the device ${JSON.stringify(device)}`, async () => {
    const { commands, programs } = world()
    const end = await commands.run({ name: 'smartctl read', device, statistics: false })
    assert.ok(!end.ok && programs.length === 0)
  })
}

test('bug class 30: Commands.run accepts no device or type that starts an option, leaves /dev or contains white space', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        inheritedName,
        fc.oneof(fc.string(), inheritedName).map((end) => `/dev/${end}`),
      ),
      (text) => {
        if (isDevicePath(text)) assert.match(text, /^\/dev\/[^\s;$`&|<>"'\\]+$/)
        if (isDevicePath(text)) assert.ok(!text.includes('/../') && !text.endsWith('/..'))
        if (isDeviceType(text)) assert.match(text, /^[a-z0-9][^\s;$`&|<>"'\\]*$/)
      },
    ),
  )
})

test('Commands.run distinguishes a program that is not installed from a program that fails', async () => {
  const missing = world(({ tell }) => tell({ kind: 'failed', reason: '"smartctl" is not installed' }))
  assert.deepEqual(await missing.commands.run({ name: 'smartctl scan' }), {
    ok: false,
    reason: 'Cannot run smartctl scan: "smartctl" is not installed',
    isInstalled: false,
  })
  const slow = world(({ tell }) => tell({ kind: 'failed', reason: 'not finished within 10000 ms' }))
  const end = await slow.commands.run({ name: 'smartctl scan' })
  assert.ok(!end.ok && end.isInstalled)
})

test('bug class 10: Commands.run ends with a timeout when the host never responds', async () => {
  const { commands, advance } = world()
  const end = commands.run({ name: 'smartctl scan' })
  advance(11_000)
  assert.deepEqual(await end, { ok: false, reason: 'Cannot run smartctl scan: smartctl scan took longer than 11000 ms', isInstalled: true })
})

test('Commands.follow returns whole lines however the chunks are split, and drops lines without end', async () => {
  const { commands, programs } = world()
  const lines: string[] = []
  commands.follow({ name: 'nvidia-smi loop' }, { onLine: (line) => lines.push(line), onEnd: () => undefined })
  for (const text of ['on', 'e\r\ntw', 'o\n', 'x'.repeat(20_000), 'y\nthree\n']) {
    programs[0]?.tell({ kind: 'piece', data: byteTools.utf8(text) })
  }
  await setImmediate()
  assert.deepEqual(lines, ['one', 'two', 'y', 'three'])
})

test('Commands.follow restarts a failed program after 5, 10, 20 and 40 s, then after an hour', async () => {
  const ends: number[] = []
  const { commands, programs, advance } = world(({ tell }) => tell({ kind: 'exited', exitCode: 9, output: new Uint8Array() }))
  commands.follow({ name: 'nvidia-smi loop' }, { onLine: () => undefined, onEnd: (_, retryInMs) => ends.push(retryInMs) })
  for (let round = 0; round < 6; round++) {
    await setImmediate()
    advance(ends.at(-1) ?? 0)
  }
  await setImmediate()
  assert.deepEqual(ends.slice(0, 6), [5000, 10_000, 20_000, 40_000, 3_600_000, 5000])
  assert.equal(programs.length, 7)
  assert.deepEqual([1, 2, 3, 4, 5].map(restartDelayMs), [5000, 10_000, 20_000, 40_000, 3_600_000])
})

test('Commands.follow resets its failure count once the program has run for a minute', async () => {
  const ends: number[] = []
  const { commands, programs, advance } = world()
  commands.follow({ name: 'nvidia-smi loop' }, { onLine: () => undefined, onEnd: (_, retryInMs) => ends.push(retryInMs) })
  for (let round = 0; round < 3; round++) {
    advance(61_000)
    programs.at(-1)?.tell({ kind: 'failed', reason: 'wrote nothing for 30000 ms' })
    await setImmediate()
    advance(5000)
  }
  assert.deepEqual(ends, [5000, 5000, 5000])
})

test('Commands.follow kills its program when it is stopped, and starts no other', async () => {
  const { commands, programs, advance } = world()
  const stop = commands.follow({ name: 'nvidia-smi loop' }, { onLine: () => undefined, onEnd: () => undefined })
  stop()
  await setImmediate()
  advance(10 * 3_600_000)
  assert.equal(programs.length, 1)
  assert.equal(programs[0]?.isKilled(), true)
})
