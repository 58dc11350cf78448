import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { encodeSmartDevices } from '@vedette/protocol/wire/smart'
import { anyJson } from '../../../../protocol/test/hostile-names.ts'
import { asRecorded, readRecording } from '../../../../protocol/test/recorded.ts'
import { createCommands } from '../../runtime/command.ts'
import { createLoop } from '../../runtime/deadline.ts'
import { memoryRuntime } from '../../runtime/memory-runtime.ts'
import { byteTools } from '../../runtime/node/byte-tools.ts'
import { procSource } from '../../source/proc-source.ts'
import type { Json } from '../../text/json.ts'
import { createDiskHealth, type DiskHealthOptions } from './disk-health.ts'
import { DRIVE_ACCESS_COMMAND } from './drive-access.ts'
import { readSmartAnswer } from './smart-answer.ts'
import { isExcluded, mergeDevices, parseDeviceSetting, parseScan } from './smart-devices.ts'

const recorded = (name: string): string =>
  readFileSync(new URL(`../../../../protocol/vectors/agent/machine-2/tools/${name}`, import.meta.url), 'utf8')
const scanText = recorded('smartctl-scan.json')

/** A stub of `smartctl`: takes its arguments joined by spaces; returns output and exit status, or the reason why it cannot run. */
type Play = (args: string) => string | readonly [output: string, exitCode: number] | { readonly failed: string } | undefined

function machine(play: Play, files: Readonly<Record<string, string>> = {}, options: Partial<DiskHealthOptions> = {}) {
  const asked: string[] = []
  const memory = memoryRuntime({
    files,
    bytes: byteTools,
    run: ({ argv, tell }) => {
      const args = argv.slice(1).join(' ')
      asked.push(args)
      const answer = play(args)
      if (answer === undefined) return
      if (typeof answer === 'object' && 'failed' in answer) return tell({ kind: 'failed', reason: answer.failed })
      const [output, exitCode] = typeof answer === 'string' ? [answer, 0] : answer
      tell({ kind: 'exited', exitCode, output: byteTools.utf8(output) })
    },
  })
  const loop = createLoop(memory.runtime)
  const reader = createDiskHealth(
    {
      source: procSource(memory.runtime, { proc: '/proc', sys: '/sys', etc: '/etc' }),
      procRoot: '/proc',
      commands: createCommands(memory.runtime, loop),
      bytes: byteTools,
      nowMs: () => memory.runtime.clock().monotonicMs,
    },
    { scan: true, devices: [], exclude: [], ...options },
  )
  return { ...memory, reader, asked }
}

const SDA = '-a --json=c -n standby /dev/sda'
const NVME = '-d nvme -a --json=c /dev/nvme0'
const wholeMachine: Play = (args) =>
  args === '--scan -j'
    ? scanText
    : args === SDA
      ? recorded('smartctl-sda.json')
      : args === NVME
        ? recorded('smartctl-nvme0.json')
        : undefined

test("DiskHealthReader.read computes the recorded agent's values from recorded smartctl output", async () => {
  const { reader, asked } = machine(wholeMachine)
  const { devices, complete } = await reader.read()
  const { samples } = readRecording<{ samples: readonly { label: string; decoded: Record<string, Record<string, unknown>> }[] }>(
    'agent/machine-2/expected-head.json',
  )
  const expected = samples.find(({ label }) => label.startsWith('SMART'))?.decoded['5']
  assert.ok(expected !== undefined && complete)
  const own = asRecorded(encodeSmartDevices(devices)) as Record<string, unknown>
  // The recorded document leaves out every 0, including a threshold of 0.
  assert.deepEqual(withoutZeros(own), withoutZeros(expected))
  assert.deepEqual(asked, ['--scan -j', SDA, NVME])
  assert.equal(reader.report().found, '/dev/sda, /dev/nvme0')
})

const withoutZeros = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, item: unknown) => (item === 0 ? undefined : item)) as unknown

test('DiskHealthReader.read scans once in half an hour, and omits a removed drive from the next complete report', async () => {
  let scan = scanText
  const { reader, asked, advance } = machine((args) => (args === '--scan -j' ? scan : wholeMachine(args)))
  await reader.read()
  scan = '{"devices":[{"name":"/dev/sda","type":"scsi"}]}'
  advance(29 * 60_000)
  assert.equal((await reader.read()).devices.length, 2)
  advance(2 * 60_000)
  const { devices, complete } = await reader.read()
  assert.deepEqual([devices.map(({ device }) => device), complete], [['/dev/sda'], true])
  assert.equal(asked.filter((args) => args === '--scan -j').length, 2)
})

test('DiskHealthReader.read scans again before it reports an unplugged drive as removed', async () => {
  let scan = scanText
  let isThere = true
  // The message of smartctl 7.3.
  const gone = JSON.stringify({
    smartctl: { messages: [{ string: 'Smartctl open device: /dev/sda failed: No such device', severity: 'error' }] },
  })
  const { reader, asked } = machine((args) => (args === '--scan -j' ? scan : args === SDA && !isThere ? [gone, 2] : wholeMachine(args)))
  await reader.read()
  isThere = false
  const first = await reader.read()
  assert.deepEqual([first.devices.map(({ device }) => device), first.complete], [['/dev/nvme0'], false])
  scan = '{"devices":[{"name":"/dev/nvme0","type":"nvme"}]}'
  assert.equal((await reader.read()).complete, true)
  assert.equal(asked.filter((args) => args === '--scan -j').length, 2)
})

test('DiskHealthReader.read runs smartctl once for concurrent callers', async () => {
  const { reader, asked } = machine(wholeMachine)
  const [one, two] = await Promise.all([reader.read(), reader.read()])
  assert.ok(one === two && asked.length === 3)
})

const asleep = JSON.stringify({ smartctl: { messages: [{ string: 'Device is in STANDBY mode, exit(2)' }], exit_status: 2 } })

for (const [what, output] of [
  ['reports that', asleep],
  ['does not respond', ''],
] as const) {
  test(`DiskHealthReader.read never wakes a drive that sleeps and ${what}: its status is unknown first, then its last value`, async () => {
    let sleeps = true
    const { reader, asked, advance } = machine((args) => (args === SDA && sleeps ? [output, 2] : wholeMachine(args)))
    const first = await reader.read()
    assert.deepEqual([first.devices.map(({ device }) => device), first.complete], [['/dev/nvme0'], false])
    assert.deepEqual(reader.report().skipped, [{ what: '/dev/sda', why: 'asleep; it is not woken' }])
    sleeps = false
    assert.equal((await reader.read()).complete, true)
    sleeps = true
    advance(3_600_000)
    const later = await reader.read()
    assert.deepEqual(
      later.devices.map(({ device, ageMs }) => [device, ageMs]),
      [
        ['/dev/sda', 3_600_000],
        ['/dev/nvme0', undefined],
      ],
    )
    assert.ok(later.devices.every((one) => one.device === '/dev/sda' || !('ageMs' in one)))
    assert.deepEqual([later.devices.length, later.complete], [2, true])
    assert.ok(asked.filter((args) => args.includes('/dev/sda')).every((args) => args.includes('-n standby')))
  })
}

test('bug class 10: a drive that hangs or returns invalid data does not affect the other drives', async () => {
  for (const bad of [{ failed: 'not finished within 15000 ms' }, 'no json', '{}', '[1]', ['', 1] as const, '{"serial_number":5}']) {
    const { reader } = machine((args) => (args === SDA ? bad : wholeMachine(args)))
    const { devices } = await reader.read()
    assert.deepEqual(
      devices.map(({ id }) => id),
      ['S64TEST0002'],
      JSON.stringify(bad),
    )
    assert.equal(reader.report().skipped?.length, 1)
  }
})

test('DiskHealthReader.read ends within its time limit with many slow drives, and keeps the last values of unread drives', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `/dev/sd${String.fromCharCode(97 + index)}`)
  const scan = JSON.stringify({ devices: names.map((name) => ({ name, type: 'scsi' })) })
  let isSlow = false
  const world = machine((args) => {
    if (args === '--scan -j') return scan
    if (isSlow) world.advance(15_000)
    return isSlow ? { failed: 'not finished within 15000 ms' } : JSON.stringify({ serial_number: args, smart_status: { passed: true } })
  })
  assert.equal((await world.reader.read()).devices.length, 20)
  isSlow = true
  const { devices, complete } = await world.reader.read()
  assert.deepEqual([devices.length, complete], [20, true])
  assert.equal(world.asked.length, 1 + 20 + 4)
})

test('DiskHealthReader.read queries a silent NVMe controller by its namespace, and remembers that', async () => {
  const { reader, asked } = machine((args) =>
    args === '--scan -j'
      ? '{"devices":[{"name":"/dev/nvme0","type":"nvme"}]}'
      : args.endsWith('/dev/nvme0')
        ? ['{"smartctl":{"messages":[{"string":"Read NVMe Identify Controller failed"}]}}', 2]
        : recorded('smartctl-nvme0.json'),
  )
  assert.equal((await reader.read()).devices[0]?.id, 'S64TEST0002')
  assert.equal((await reader.read()).complete, true)
  assert.deepEqual(
    asked.map((args) => args.split(' ').at(-1)),
    ['-j', '/dev/nvme0', '/dev/nvme0n1', '/dev/nvme0n1'],
  )
})

test('DiskHealthReader.read omits virtual, excluded and duplicate drives, and reports the reason', async () => {
  const play: Play = (args) => {
    if (args === '--scan -j')
      return JSON.stringify({ devices: ['/dev/sda', '/dev/sdb', '/dev/sdc', '/dev/sdd'].map((name) => ({ name, type: 'scsi' })) })
    if (args.endsWith('/dev/sdb')) return '{"model_name":"QEMU HARDDISK","serial_number":"QM1"}'
    return recorded('smartctl-sda.json')
  }
  const { reader } = machine(play, {}, { exclude: ['sdc'] })
  const { devices, complete } = await reader.read()
  assert.deepEqual([devices.length, complete], [1, true])
  assert.deepEqual(reader.report().skipped, [
    { what: '/dev/sdc', why: 'EXCLUDE_SMART names it' },
    { what: '/dev/sdb', why: 'a virtual disk: QEMU HARDDISK' },
    { what: '/dev/sdd', why: 'the same drive as /dev/sda' },
  ])
})

test('DiskHealthReader.report names the one command that fixes the problem', async () => {
  const missing = machine(() => ({ failed: '"smartctl" is not installed' }), { '/sys/block/sda/size': '100' })
  assert.deepEqual(await missing.reader.read(), { devices: [], complete: false })
  assert.equal(missing.reader.report().remedy, 'apt install smartmontools')
  const virtual = machine(() => ({ failed: '"smartctl" is not installed' }), { '/sys/block/vda/size': '100' })
  await virtual.reader.read()
  assert.equal(virtual.reader.report().remedy, undefined)
  const message = 'Smartctl open device: /dev/sda failed: Permission denied'
  const denied = machine((args) =>
    args === '--scan -j'
      ? '{"devices":[{"name":"/dev/sda","type":"scsi"}]}'
      : [JSON.stringify({ smartctl: { messages: [{ string: message }] } }), 2],
  )
  assert.equal((await denied.reader.read()).complete, false)
  assert.equal(denied.reader.report().remedy, DRIVE_ACCESS_COMMAND)
  assert.deepEqual(denied.reader.report().skipped, [{ what: '/dev/sda', why: message }])
})

test('DiskHealthReader.read does not scan when scanning is disabled, and passes a configured type to smartctl', async () => {
  const devices = [parseDeviceSetting('/dev/sda:sat'), parseDeviceSetting('/dev/sdb:scsi')].filter((one) => one !== undefined)
  const { reader, asked } = machine(() => recorded('smartctl-sda.json'), {}, { scan: false, devices })
  await reader.read()
  assert.deepEqual(asked, ['-d sat -a --json=c -l devstat -n standby /dev/sda', '-d scsi -a --json=c -n standby /dev/sdb'])
})

/** Constructed from kernel Documentation/driver-api/mmc and admin-guide/md.rst, and zpoolconcepts(7). */
const kernelFiles = {
  '/sys/block/mmcblk0/device/pre_eol_info': '0x02\n',
  '/sys/block/mmcblk0/device/life_time': '0x03 0x01\n',
  '/sys/block/mmcblk0/device/name': 'DG4064\n',
  '/sys/block/mmcblk0/device/serial': '0x1234abcd\n',
  '/sys/block/mmcblk0/device/fwrev': '0x05\n',
  '/sys/block/mmcblk0/size': '2048\n',
  '/sys/block/mmcblk0boot0/device/pre_eol_info': '0x01\n',
  '/sys/block/mmcblk1/device/name': 'SD32G\n',
  '/sys/block/md0/md/array_state': 'clean\n',
  '/sys/block/md0/md/level': 'raid1\n',
  '/sys/block/md0/md/raid_disks': '2\n',
  '/sys/block/md0/md/degraded': '0\n',
  '/sys/block/md0/md/sync_action': 'check\n',
  '/sys/block/md0/md/mismatch_cnt': '128\n',
  '/sys/block/md0/md/dev-sda1/state': 'in_sync\n',
  '/sys/block/md0/md/dev-sdb1/state': 'in_sync\n',
  '/sys/block/md0/size': '4096\n',
  '/sys/block/md9/md/array_state': 'clear\n',
  '/proc/spl/kstat/zfs/tank/state': 'DEGRADED\n',
  '/proc/spl/kstat/zfs/backup/state': 'ONLINE\n',
  '/proc/spl/kstat/zfs/arcstats': 'x\n',
}

test('DiskHealthReader.read reads eMMC, arrays and pools from the kernel without smartctl', async () => {
  const { reader } = machine(() => '{"devices":[]}', kernelFiles)
  const { devices, complete } = await reader.read()
  assert.equal(complete, true)
  assert.deepEqual(
    devices.map(({ id, status, type, capacityBytes }) => [id, status, type, capacityBytes]),
    [
      ['0x1234abcd', 'WARNING', 'emmc', 1_048_576],
      ['mdraid:md0', 'PASSED', 'mdraid', 2_097_152],
      ['zpool:backup', 'PASSED', 'zpool', undefined],
      ['zpool:tank', 'WARNING', 'zpool', undefined],
    ],
  )
  assert.deepEqual(devices[0]?.attributes, [
    { name: 'PreEOLInfo', raw: 2, rawText: '2' },
    { name: 'DeviceLifeTimeEstA', raw: 3, rawText: '0x03' },
    { name: 'DeviceLifeTimeEstB', raw: 1, rawText: '0x01' },
  ])
})

const device = { path: '/dev/sda', type: 'scsi', isTypeGiven: false }

for (const [what, answer, exitCode, status] of [
  ['a drive that passed, with old errors in its log', { smart_status: { passed: true } }, 64, 'PASSED'],
  ['a drive that failed', { smart_status: { passed: false }, temperature: { current: 30 } }, 8, 'FAILED'],
  ['a drive that reports nothing', {}, 4, 'UNKNOWN'],
  ['a drive that reports nothing and fails according to smartctl', {}, 8, 'FAILED'],
] as const) {
  test(`readSmartAnswer: ${what} is ${status}`, () => {
    const read = readSmartAnswer({ serial_number: 'S', ...answer }, exitCode, device)
    assert.ok(read.kind === 'health' && read.health.status === status)
  })
}

test('bug class 24: readSmartAnswer omits negative values, and uses device statistics for a missing temperature', () => {
  const table = [
    { id: 194, name: 'Temperature', value: -1, worst: 300_000, thresh: 0, raw: { value: -5, string: '-5' } },
    { id: 9, name: 'Hours', value: 100, raw: { value: 7, string: '' } },
    { id: 5, name: '\u001b[31mevil\ufffd\u0000', value: 100, raw: { value: 1 } },
  ]
  const pages = [
    null,
    {
      number: 5,
      table: [
        { name: 'Lowest Temperature', value: -40 },
        { name: 'Current Temperature', value: 31 },
      ],
    },
  ]
  const read = readSmartAnswer(
    { serial_number: 'S', temperature: { current: -7 }, ata_smart_attributes: { table }, ata_device_statistics: { pages } },
    0,
    device,
  )
  assert.ok(read.kind === 'health')
  assert.equal(read.health.celsius, 31)
  assert.deepEqual(read.health.attributes, [
    { id: 9, name: 'Hours', value: 100, raw: 7 },
    { id: 5, name: 'evil', value: 100, raw: 1 },
  ])
})

test('readSmartAnswer reads the counters of SCSI drives', () => {
  const read = readSmartAnswer(
    {
      serial_number: 'S',
      scsi_vendor: 'SEAGATE',
      scsi_product: 'ST600',
      scsi_revision: '0004',
      power_on_time: { hours: 10, minutes: 5 },
      scsi_grown_defect_list: 3,
      scsi_error_counter_log: { read: { total_uncorrected_errors: 1, gigabytes_processed: '12.5' } },
    },
    0,
    device,
  )
  assert.ok(read.kind === 'health')
  assert.deepEqual([read.health.model, read.health.firmware], ['ST600', '0004'])
  assert.deepEqual(
    read.health.attributes?.map(({ name, raw }) => [name, raw]),
    [
      ['PowerOnHours', 10],
      ['PowerOnMinutes', 5],
      ['GrownDefectList', 3],
      ['ReadTotalUncorrectedErrors', 1],
      ['ReadGigabytesProcessed', 12.5],
    ],
  )
})

test('readSmartAnswer never throws for any JSON', () => {
  fc.assert(
    fc.property(anyJson, fc.integer({ min: 0, max: 255 }), (json, exitCode) => {
      // fast-check's JSON value has the shape that parseJson returns.
      const value = json as Json
      assert.ok(readSmartAnswer(value, exitCode, device).kind !== undefined)
      assert.ok(
        readSmartAnswer({ serial_number: 'S', ata_smart_attributes: { table: [value] }, temperature: value }, exitCode, device).kind ===
          'health' || (exitCode & 2) !== 0,
      )
    }),
  )
})

test('parseScan keeps only devices that smartctl can query', () => {
  const names = [
    { name: '/dev/sda', type: 'sat' },
    { name: '/dev/bus/0', type: 'megaraid,5' },
    { name: '-s off' },
    { name: '/dev/../x' },
    {},
    5,
    { name: '/dev/sdb', type: '$(id)' },
  ]
  assert.deepEqual(parseScan({ devices: names }), [
    { path: '/dev/sda', type: 'sat', isTypeGiven: false },
    { path: '/dev/bus/0', type: 'megaraid,5', isTypeGiven: false },
    { path: '/dev/sdb', isTypeGiven: false },
  ])
})

for (const [text, path, type] of [
  ['/dev/sda', '/dev/sda', undefined],
  ['/dev/sda:sat', '/dev/sda', 'sat'],
  ['/dev/bus/0:megaraid,5', '/dev/bus/0', 'megaraid,5'],
  ['/dev/sg2:areca,1/2', '/dev/sg2', 'areca,1/2'],
  ['/dev/disk/by-path/pci-0000:00:1f.2-ata-1', '/dev/disk/by-path/pci-0000:00:1f.2-ata-1', undefined],
  ['sda', undefined, undefined],
  ['/dev/../etc', undefined, undefined],
  ['/dev/sda:$(id)', undefined, undefined],
] as const) {
  test(`parseDeviceSetting reads ${text}`, () => {
    const read = parseDeviceSetting(text)
    assert.deepEqual([read?.path, read?.type], [path, type])
  })
}

test('mergeDevices lets the configuration override scanned devices and add others', () => {
  const scanned = parseScan({
    devices: [
      { name: '/dev/sda', type: 'scsi' },
      { name: '/dev/sdb', type: 'scsi' },
      { name: '/dev/sdc', type: 'nvme' },
    ],
  })
  const configured = ['/dev/sdb:sat', '/dev/sdc', '/dev/sdx'].map(parseDeviceSetting).filter((one) => one !== undefined)
  assert.deepEqual(
    mergeDevices(scanned, configured).map(({ path, type }) => [path, type]),
    [
      ['/dev/sda', 'scsi'],
      ['/dev/sdb', 'sat'],
      ['/dev/sdc', 'nvme'],
      ['/dev/sdx', undefined],
    ],
  )
  assert.deepEqual([isExcluded(device, ['/dev/sd*']), isExcluded(device, ['sda']), isExcluded(device, ['sd'])], [true, true, false])
})
