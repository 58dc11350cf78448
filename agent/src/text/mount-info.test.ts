import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyCharacter } from '../../../protocol/test/any-character.ts'
import { inheritedName } from '../../../protocol/test/hostile-names.ts'
import { mountOf, parseMountInfo } from './mount-info.ts'

const mount = (mountPoint: string, source: string, filesystem = 'ext4') =>
  `36 35 8:1 / ${mountPoint} rw,noatime shared:1 - ${filesystem} ${source} rw\n`

test('parseMountInfo reads escaped names and optional fields, and skips invalid lines', () => {
  assert.deepEqual(parseMountInfo(`${mount('/mnt/a\\040b', '/dev/sda1')}nonsense\n36 35 0:5 / /proc rw - proc proc rw\n`), [
    { deviceNumber: '8:1', root: '/', mountPoint: '/mnt/a b', filesystem: 'ext4', source: '/dev/sda1' },
    { deviceNumber: '0:5', root: '/', mountPoint: '/proc', filesystem: 'proc', source: 'proc' },
  ])
})

const mounts = parseMountInfo(
  mount('/', '/dev/sda1') + mount('/mnt', 'nas:/a', 'nfs4') + mount('/mnt/usb', '/dev/sdb1') + mount('/mnt', 'nas:/b', 'nfs4'),
)

for (const [path, expected] of [
  ['/', '/dev/sda1'],
  ['/mnt', 'nas:/b'],
  ['/mnt/films', 'nas:/b'],
  ['/mntx', '/dev/sda1'],
  ['/mnt/usb/x', '/dev/sdb1'],
] as const) {
  test(`mountOf: ${path} lies on ${expected}`, () => assert.equal(mountOf(mounts, path)?.source, expected))
}

test('mountOf is undefined without mounts', () => assert.equal(mountOf([], '/'), undefined))

test('parseMountInfo never throws for any text, and mountOf returns only mounts of its input', () => {
  const line = fc
    .tuple(fc.oneof(fc.string({ unit: anyCharacter }), inheritedName), fc.constantFrom(' - ', ' ', '\\040', '\\9'))
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(
      fc.array(line).map((lines) => lines.join('\n')),
      fc.oneof(fc.string(), inheritedName),
      (text, path) => {
        const all = parseMountInfo(text)
        const found = mountOf(all, path)
        assert.ok(found === undefined || all.includes(found))
      },
    ),
  )
})
