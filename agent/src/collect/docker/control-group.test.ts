import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryRuntime } from '../../runtime/memory-runtime.ts'
import { byteTools } from '../../runtime/node/byte-tools.ts'
import { procSource } from '../../source/proc-source.ts'
import { controlGroupOf, countedReading, type ControlGroup } from './control-group.ts'

/** Constructed from cgroups(7) and the kernel's documentation of both cgroup versions. */
const ID = 'ab'.repeat(32)
const OTHER = 'cd'.repeat(32)
const container = { id: ID.slice(0, 12), pid: 7, hasOwnNetwork: true }

function groupOf(
  lines: readonly string[],
  more: object = {},
  roots = { proc: '/proc', sys: '/sys', etc: '/etc' },
): ControlGroup | undefined {
  const { runtime } = memoryRuntime({ files: { [`${roots.proc}/7/cgroup`]: `${lines.join('\n')}\n` }, bytes: byteTools })
  return controlGroupOf(procSource(runtime, roots), { ...container, ...more })
}

const version1 = (path: string) => [`9:name=systemd:${path}`, `4:memory:${path}`, `3:cpu,cpuacct:${path}`, `2:blkio:${path}`, `0::${path}`]
const cpuFile = (group: ControlGroup | undefined) => group?.wanted.files[0]?.path

for (const [what, lines, file] of [
  ['version 2, its own driver', [`0::/docker/${ID}`], `/sys/fs/cgroup/docker/${ID}/cpu.stat`],
  ['version 2, systemd', [`0::/system.slice/docker-${ID}.scope`], `/sys/fs/cgroup/system.slice/docker-${ID}.scope/cpu.stat`],
  ['a group with subgroups of the container', [`0::/docker/${ID}/init.scope`], `/sys/fs/cgroup/docker/${ID}/cpu.stat`],
  ['an engine in a container', [`0::/docker/${OTHER}/docker/${ID}`], `/sys/fs/cgroup/docker/${OTHER}/docker/${ID}/cpu.stat`],
  ['a configured parent group', [`0::/my:own/${ID}`], `/sys/fs/cgroup/my:own/${ID}/cpu.stat`],
  ['version 1', version1(`/docker/${ID}`), `/sys/fs/cgroup/cpuacct/docker/${ID}/cpuacct.usage`],
  ['another container', [`0::/docker/${OTHER}`], undefined],
  ['a short id', [`0::/docker/${ID.slice(0, 12)}`], undefined],
  ['the agent’s own cgroup namespace', [`0::/../../docker/${ID}`], undefined],
  ['no container', ['0::/user.slice'], undefined],
  [
    'a controller without a group',
    version1(`/docker/${ID}`)
      .filter((line) => !line.includes('memory'))
      .slice(0, -1),
    undefined,
  ],
  ['nonsense', ['', ':', 'x'], undefined],
] as const) {
  test(`controlGroupOf: ${what}`, () => {
    assert.equal(cpuFile(groupOf(lines)), file)
  })
}

test('controlGroupOf searches where the machine is mounted, and reads interfaces only in a network of the container', () => {
  const roots = { proc: '/host/proc', sys: '/host/sys', etc: '/etc' }
  const group = groupOf([`0::/docker/${ID}`], {}, roots)
  assert.equal(group?.wanted.processFolder, '/host/proc/7')
  assert.equal(cpuFile(group), `/host/sys/fs/cgroup/docker/${ID}/cpu.stat`)
  const paths = (one: ControlGroup | undefined) => one?.wanted.files.map(({ path }) => path.split('/').at(-1))
  assert.deepEqual(paths(group), ['cpu.stat', 'memory.current', 'memory.stat', 'io.stat', 'dev'])
  assert.deepEqual(paths(groupOf([`0::/docker/${ID}`], { hasOwnNetwork: false })), ['cpu.stat', 'memory.current', 'memory.stat', 'io.stat'])
})

test('controlGroupOf is undefined for a process that has ended', () => {
  assert.equal(groupOf([`0::/docker/${ID}`], { pid: 8 }), undefined)
})

const taken = { takenAtMs: 5000, onlineCpus: 4 }
const counted = (lines: readonly string[], numbers: readonly (number | null)[] | null) => {
  const group = groupOf(lines)
  assert.ok(group !== undefined)
  return countedReading(group, numbers, taken)
}

test('countedReading returns the same units for both cgroup versions', () => {
  const expected = { source: 'kernel', clockNs: 5e9, ...taken, cpuNs: 2e9, memoryBytes: 900 }
  const traffic = { diskReadBytes: 1, diskWrittenBytes: 2, receivedBytes: 3, sentBytes: 4 }
  const one = counted(version1(`/docker/${ID}`), [2e9, 1000, 0, 100, 300, 1, 2, 3, 4])
  assert.deepEqual(one, { ...expected, ...traffic })
  assert.deepEqual(counted([`0::/docker/${ID}`], [2e6, 1000, 100, null, null, 1, 2, 3, 4]), { ...expected, ...traffic })
})

test('countedReading omits missing counters, and detects that the container ended', () => {
  const none = counted([`0::/docker/${ID}`], [2e6, null, null, null, null, null, null])
  assert.deepEqual(
    [none?.memoryBytes, none?.diskReadBytes, none?.diskWrittenBytes, none?.receivedBytes, none?.sentBytes],
    [undefined, undefined, undefined, undefined, undefined],
  )
  assert.equal(counted([`0::/docker/${ID}`], null), undefined)
})
