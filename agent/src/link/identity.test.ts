import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryRuntime } from '../runtime/memory-runtime.ts'
import { byteTools } from '../runtime/node/byte-tools.ts'
import { machineId, readFingerprint } from './identity.ts'

const roots = { proc: '/proc', sys: '/sys', etc: '/etc' }
const recorded = '3fad3d29a4559250a6b4c948ddb4a049cdbf291e55da9018'
const machineIdFile = { '/etc/machine-id': '123456789abcdef0123456789abcdef0\n' }

test("readFingerprint derives the recorded agents' fingerprint from a machine id, and stores it without a newline", () => {
  const memory = memoryRuntime({ files: machineIdFile, bytes: byteTools })
  assert.equal(readFingerprint(memory.runtime, roots, '/data'), recorded)
  assert.equal(memory.files.get('/data/fingerprint'), recorded)
})

test('readFingerprint returns the stored fingerprint', () => {
  const memory = memoryRuntime({ files: { ...machineIdFile, '/data/fingerprint': 'any text\n' }, bytes: byteTools })
  assert.equal(readFingerprint(memory.runtime, roots, '/data'), 'any text')
})

const idCases: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  ['the board id first, in lower case', { ...machineIdFile, '/sys/class/dmi/id/product_uuid': 'ABCD\n' }, 'abcd'],
  ['the installation id next, with dashes', machineIdFile, '12345678-9abc-def0-1234-56789abcdef0'],
  ['the boot id last', { '/proc/sys/kernel/random/boot_id': 'Boot\n' }, 'boot'],
  [
    'bug class 20: host name and CPU instead of a board id that many boards share',
    {
      '/sys/class/dmi/id/product_uuid': '03000200-0400-0500-0006-000700080009\n',
      '/proc/sys/kernel/hostname': 'host-1\n',
      '/proc/cpuinfo': 'model name\t: A CPU\n',
    },
    'host-1A CPU',
  ],
]
for (const [name, files, expected] of idCases) {
  test(`machineId: ${name}`, () => assert.equal(machineId(memoryRuntime({ files, bytes: byteTools }).runtime, roots), expected))
}
