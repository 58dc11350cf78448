import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCollect } from './collect-config.ts'

function collectWith(env: Readonly<Record<string, string>>) {
  const problems: string[] = []
  const given = (name: string) => env[name]
  const options = readCollect({
    given,
    text: (name) => given(name)?.trim() || undefined,
    refuse: (problem) => {
      problems.push(problem)
    },
    remark: () => undefined,
    fileText: () => undefined,
  })
  return { options, problems }
}

for (const [text, expected] of [
  [undefined, undefined],
  ['', []],
  [' , ', []],
  ['sdb1', [{ wanted: 'sdb1', displayName: undefined }]],
  [
    '/mnt/a__Films, *',
    [
      { wanted: '/mnt/a', displayName: 'Films' },
      { wanted: '*', displayName: undefined },
    ],
  ],
  ['sdc__a__b', [{ wanted: 'sdc', displayName: 'a__b' }]],
  ['sdc__\u0007', [{ wanted: 'sdc', displayName: undefined }]],
] as const) {
  test(`readCollect: EXTRA_FILESYSTEMS=${JSON.stringify(text)}`, () => {
    assert.deepEqual(collectWith(text === undefined ? {} : { EXTRA_FILESYSTEMS: text }).options.extraFilesystems, expected)
  })
}

for (const [text, expectedMs, problems] of [
  [undefined, 0, 0],
  ['0', 0, 0],
  ['0s', 0, 0],
  ['15m', 900_000, 0],
  ['often', 0, 1],
  ['-5m', 0, 1],
] as const) {
  test(`readCollect: DISK_USAGE_CACHE=${text} keeps sizes ${expectedMs} ms, ${problems} problems`, () => {
    const { options, problems: told } = collectWith(text === undefined ? {} : { DISK_USAGE_CACHE: text })
    assert.deepEqual([options.diskUsageKeptMs, told.length], [expectedMs, problems])
  })
}

test('readCollect reads other roots, and another path of the mount table', () => {
  const { roots } = collectWith({ HOST_PROC: '/host/proc', HOST_SYS: '/host/sys', HOST_PROC_MOUNTINFO: '/host/proc/1/mountinfo' }).options
  assert.deepEqual(roots, { proc: '/host/proc', sys: '/host/sys', etc: '/etc', mountInfo: '/host/proc/1/mountinfo' })
})

for (const [text, expected] of [
  [undefined, []],
  [' , ', []],
  ['env=prod', ['env=prod']],
  [' env=prod ,home,, env=prod', ['env=prod', 'home']],
  [Array.from({ length: 60 }, (_, index) => `t${index}`).join(), Array.from({ length: 50 }, (_, index) => `t${index}`)],
] as const) {
  test(`readCollect reads TAGS="${String(text).slice(0, 40)}"`, () => {
    assert.deepEqual(collectWith(text === undefined ? {} : { TAGS: text }), {
      options: collectWith({ TAGS: expected.join() }).options,
      problems: [],
    })
    assert.deepEqual(collectWith(text === undefined ? {} : { TAGS: text }).options.tags, expected)
  })
}
