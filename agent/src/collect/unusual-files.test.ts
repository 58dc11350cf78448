import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sample } from '@vedette/protocol/metrics/sample'
import { readConfig } from '../config/config.ts'
import { createLoop } from '../runtime/deadline.ts'
import { readMachine, type MachineFixture } from '../fixtures/machine.ts'
import type { Files } from '../fixtures/recorded-machine.ts'
import { logTo } from '../runtime/log.ts'
import { memoryRuntime } from '../runtime/memory-runtime.ts'
import { byteTools } from '../runtime/node/byte-tools.ts'
import { collectors } from './collectors.ts'
import { runner, type SamplePart } from './run-all.ts'

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4'

/** A sample of the machine five seconds after its first reading. */
async function measure({ filesystems, environment, arch }: MachineFixture, before: Files, after: Files): Promise<SamplePart> {
  const memory = memoryRuntime({ files: before, filesystems, arch, env: { KEY, ...environment }, bytes: byteTools })
  const config = readConfig(memory.runtime)
  assert.ok(config.kind === 'run')
  const loop = createLoop(memory.runtime)
  const all = collectors(memory.runtime, loop, config.config.collect)
  const { run } = runner(all, loop, logTo(memory.runtime, 'error'), memory.runtime.clock)
  await run({ atMs: 0, consumer: 1000 })
  memory.advance(5000)
  memory.replaceFiles(after)
  return run({ atMs: 5000, consumer: 1000 })
}

type Leaves = ReadonlyMap<string, string | number | boolean>

/** Every text and number of a sample by its path, except families with the value of an earlier reading. */
function leavesOf({ ages, ...sample }: SamplePart): Leaves {
  const leaves = new Map<string, string | number | boolean>()
  const walk = (value: unknown, path: string): void => {
    if (typeof value === 'object' && value !== null) {
      for (const [name, item] of Object.entries(value)) walk(item, `${path}.${name}`)
    } else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') leaves.set(path, value)
  }
  const isOld = (family: string): boolean => ages !== undefined && Object.hasOwn(ages, family)
  for (const [family, value] of Object.entries(sample)) if (!isOld(family)) walk(value, family)
  return leaves
}

/** Values of the first sample that differ from the true sample. */
const untrue = (told: Leaves, truth: Leaves): readonly string[] =>
  [...told]
    .filter(([path, value]) => truth.get(path) !== value)
    .map(([path, value]) => `${path}: ${String(value)}, not ${String(truth.get(path))}`)

/** Files whose numbers are not counters: parts of a text, or temperatures and charges, which may be negative. */
const NO_COUNTERS = /mountinfo$|cpuinfo$|cgroup$|version$|release$|uevent$|hostname$|environ$|cmdline$|temp\d+_input$|_list$/

/**
 * Expected differences: an unreadable sensor may change the hottest temperature, and a kernel without swap accounting lacks the swap
 * files.
 */
const isExpected = (path: string, line: string): boolean =>
  (path.includes('/temp') && line.startsWith('dashboardCelsius')) || (path.includes('memory.swap') && line.startsWith('swap'))

const MAX_NUMBERS = 16

/** The text with one of its numbers made negative, for up to 16 of its numbers. */
function withNegatives(text: string): readonly string[] {
  const places = [...text.matchAll(/(?<![\w.-])\d+(?![\w.])/g)].map(({ index }) => index)
  const stride = Math.ceil(places.length / MAX_NUMBERS)
  return places.filter((_, place) => place % stride === 0).map((at) => `${text.slice(0, at)}-${text.slice(at)}`)
}

const withColumn = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? line : `${line} 7`))
    .join('\n')

const machines = ['debian-vm', 'laptop', 'nvme-server-with-raid-and-zfs', 'lxc-guest', 'raspberry-pi', 'nas-with-many-disks'].concat([
  'cgroup-v1-host',
  'alpine-container',
  'podman-host',
  'debian-vm-in-docker',
  'debian-vm-in-docker-with-root',
])

for (const name of machines) {
  const machine = readMachine(name)
  const before = machine.files
  const after: Files = { ...before, ...machine.later }
  const paths = Object.keys(after)

  test(`bad input, ${name}: a missing kernel file or a negative counter affects only its own values`, async () => {
    const truth = leavesOf(await measure(machine, before, after))
    const families = new Set([...truth.keys()].map((path) => path.split('.')[0]))
    for (const path of paths) {
      const { [path]: text = '', ...without } = after
      const negatives = NO_COUNTERS.test(path) ? [] : withNegatives(text)
      for (const files of [without, ...negatives.map((changed) => ({ ...after, [path]: changed }))]) {
        const sample = await measure(machine, before, files)
        const wrong = untrue(leavesOf(sample), truth).filter((line) => !isExpected(path, line))
        assert.deepEqual(wrong, [], `${path}: ${files[path] ?? 'gone'}`)
        const lost = [...families].filter((family) => sample[family as keyof Sample] === undefined)
        assert.ok(lost.length <= 2, `${path}: ${lost.join(', ')} are lost`)
      }
    }
  })

  test(`bad input, ${name}: a new column in kernel files does not change the sample`, async () => {
    const truth = leavesOf(await measure(machine, before, after))
    const columned = (files: Files): Files =>
      Object.fromEntries(
        Object.entries(files).map(([path, text]) => {
          const isTable = path.startsWith('/proc/') && text.includes(' ') && !path.endsWith('cpuinfo')
          return [path, isTable ? withColumn(text) : text]
        }),
      )
    const told = leavesOf(await measure(machine, columned(before), columned(after)))
    assert.deepEqual(Object.fromEntries(told), Object.fromEntries(truth))
  })
}
