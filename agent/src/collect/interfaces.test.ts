import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryRuntime } from '../runtime/memory-runtime.ts'
import { byteTools } from '../runtime/node/byte-tools.ts'
import { procSource } from '../source/proc-source.ts'
import { parseNameFilter } from '../text/glob.ts'
import { chooseInterfaces, readInterfaceKind, reasonByName } from './interfaces.ts'

const used = { sentBytes: 1, receivedBytes: 1 }
const NOT_YET = 'has not both sent and received yet'
const PASSES_ON = 'only passes on what others carry'

for (const [name, counters, nics, expected] of [
  ['eth0', used, undefined, undefined],
  ['wg0', used, undefined, undefined],
  ['lo', used, undefined, PASSES_ON],
  ['lowpan0', used, undefined, undefined],
  ['docker0', used, undefined, PASSES_ON],
  ['br-2c0f0719f44e', used, undefined, PASSES_ON],
  ['veth3e80fa7', used, undefined, PASSES_ON],
  ['bond0', used, undefined, PASSES_ON],
  ['cali12ab', used, undefined, PASSES_ON],
  ['eth1', { sentBytes: 0, receivedBytes: 9 }, undefined, NOT_YET],
  ['docker0', used, 'docker*', undefined],
  ['eth0', used, 'docker*', 'not listed in NICS'],
  ['eth0', used, '', 'not listed in NICS'],
  ['eth0', used, '-eth*', 'excluded by NICS'],
  ['wlan0', used, '-eth*', undefined],
  ['docker0', used, '-eth*', PASSES_ON],
  ['docker0', used, '-', PASSES_ON],
] as const) {
  test(`reasonByName: ${name} ${expected ?? 'counts'}${nics === undefined ? '' : ` with NICS=${nics}`}`, () => {
    assert.equal(reasonByName(name, counters, nics === undefined ? undefined : parseNameFilter(nics)), expected)
  })
}

/** Folders as in /sys/class/net, each with the entries that show its kind. */
const choose = (sysfs: Readonly<Record<string, readonly string[]>>, nics?: string) => {
  const files = Object.entries(sysfs).flatMap(([name, entries]) =>
    entries.map((entry) => [`/sys/class/net/${name}/${entry}/x`, ''] as const),
  )
  const memory = memoryRuntime({ files: Object.fromEntries(files), bytes: byteTools })
  const source = procSource(memory.runtime, { proc: '/proc', sys: '/sys', etc: '/etc' })
  const all = new Map(Object.keys(sysfs).map((name) => [name, used]))
  const filter = nics === undefined ? undefined : parseNameFilter(nics)
  const { names, skipped } = chooseInterfaces(all, filter, (name) => readInterfaceKind(source, name))
  return { names: [...names], why: skipped.map(({ what, why }) => `${what}: ${why}`) }
}

for (const [what, sysfs, names, why] of [
  [
    'a bond under another name, and its members',
    { lan: ['bonding', 'lower_eth0', 'lower_eth1'], eth0: ['device', 'master'], eth1: ['device', 'master'] },
    ['eth0', 'eth1'],
    ['lan: a bond: its members are counted'],
  ],
  [
    'a bridge, its adapter and the port of a virtual machine',
    { vmbr0: ['bridge', 'lower_eno1', 'lower_tap100i0'], eno1: ['device', 'master'], tap100i0: ['master'] },
    ['eno1'],
    ['vmbr0: a bridge: its traffic is counted where it leaves the machine', 'tap100i0: a virtual port of a bridge'],
  ],
  [
    'a VLAN and its parent interface',
    { eth0: ['device'], 'eth0.10': ['lower_eth0'] },
    ['eth0'],
    ['eth0.10: carried by eth0, which counts it'],
  ],
  ['a VLAN whose parent is in another namespace', { vlan10: ['lower_eth0'] }, ['vlan10'], []],
  ['a team', { team0: ['lower_eth0'], eth0: ['device', 'master'] }, ['eth0'], ['team0: carried by eth0, which counts it']],
  ['the adapter of a container', { eth0: [] }, ['eth0'], []],
  ['a tunnel, whose underlying interface the kernel does not report', { wg0: [], tun0: [] }, ['wg0', 'tun0'], []],
] as const) {
  test(`chooseInterfaces counts once: ${what}`, () => assert.deepEqual(choose(sysfs), { names, why }))
}

test('chooseInterfaces selects every interface that NICS lists', () => {
  assert.deepEqual(choose({ br0: ['bridge'], eth0: ['device'] }, 'br0').names, ['br0'])
})
