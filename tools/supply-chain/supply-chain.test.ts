import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listFiles, readSource } from '../rules/source-tree.ts'
import { denyExceptions, expiredExceptions, licenceExceptions } from './exceptions.ts'
import { installedProblems } from './installed-packages.ts'
import { lockProblems, type LockedPackage } from './npm-lock.ts'
import { npmPolicy } from './npm-policy.ts'
import { knownSecrets, secretsIn } from './secrets.ts'

const DENY = 'agent/native/deny.toml'
const today = new Date().toISOString().slice(0, 10)

test('every package of the lock file comes unchanged from the registry, under an allowed licence', () => {
  assert.deepEqual(installedProblems(), [])
})

test('no exception has expired', () => {
  assert.deepEqual(expiredExceptions([...licenceExceptions, ...denyExceptions(readSource(DENY))], today), [])
})

test('exceptions expire after their last day, and require a reason and a day', () => {
  const exception = { about: 'x', reason: 'because', until: '2027-01-31' }
  assert.deepEqual(expiredExceptions([exception], '2027-01-31'), [])
  assert.equal(expiredExceptions([exception], '2027-02-01').length, 1)
  assert.equal(expiredExceptions([{ ...exception, reason: ' ' }], '2026-01-01').length, 1)
  assert.equal(expiredExceptions([{ ...exception, until: 'never' }], '2026-01-01').length, 1)
})

test('exceptions of deny.toml are read with their reasons and days', () => {
  const toml =
    '[advisories]\nignore = [\n  "RUSTSEC-2026-0001", # not reached by us, until 2027-01-31\n  "RUSTSEC-2026-0002",\n  # a comment\n]\n'
  assert.deepEqual(denyExceptions(toml), [
    { about: '"RUSTSEC-2026-0001"', reason: 'not reached by us', until: '2027-01-31' },
    { about: '"RUSTSEC-2026-0002"', reason: '', until: '' },
  ])
  assert.deepEqual(denyExceptions('ignore = []\n'), [])
})

const integrity = `sha512-${'a'.repeat(86)}==`
const good: LockedPackage = { version: '1.0.0', integrity, license: 'MIT' }
const policy = { ...npmPolicy, workspaces: ['hub'], decidedScripts: ['built'] }

for (const [what, path, locked, count] of [
  ['a package of the registry', 'node_modules/a', good, 0],
  ['a workspace', 'node_modules/@vedette/hub', { link: true, resolved: 'hub' }, 0],
  ['a link outside the workspaces', 'node_modules/a', { link: true, resolved: '../a' }, 1],
  ['a package from another address', 'node_modules/a', { ...good, resolved: 'git+ssh://git@example.com/a.git#1' }, 1],
  ['no checksum', 'node_modules/a', { version: '1.0.0', license: 'MIT' }, 1],
  ['a weak checksum', 'node_modules/a', { ...good, integrity: 'sha1-aaaa' }, 1],
  ['another licence', 'node_modules/a', { ...good, license: 'GPL-3.0-only' }, 1],
  ['a choice of licences with an allowed one', 'node_modules/a', { ...good, license: '(GPL-3.0-only OR MIT)' }, 0],
  ['an allowed licence combined with another', 'node_modules/a', { ...good, license: 'MIT AND GPL-3.0-only' }, 1],
  ['a licence for tools in a shipped package', 'node_modules/a', { ...good, license: 'MPL-2.0' }, 1],
  ['a licence for tools in a tool', 'node_modules/a', { ...good, license: 'MPL-2.0', dev: true }, 0],
  ['no licence', 'node_modules/a', { version: '1.0.0', integrity }, 1],
  ['an exception', 'node_modules/@lix-js/sdk-linux-x64', { version: '1.0.0', integrity }, 0],
  ['a banned package below another', 'node_modules/a/node_modules/event-stream', good, 1],
  ['a banned package under another name', 'node_modules/a', { ...good, name: 'event-stream' }, 1],
  ['a reviewed install script', 'node_modules/built', { ...good, hasInstallScript: true }, 0],
  ['an install script without review', 'node_modules/a', { ...good, hasInstallScript: true }, 1],
] as const satisfies readonly (readonly [string, string, LockedPackage, number])[])
  test(`the rule of the lock file finds ${count === 0 ? 'nothing wrong with' : 'a fault in'} ${what}`, () =>
    assert.equal(lockProblems({ '': {}, [path]: locked }, policy, () => undefined).length, count))

test('the repository contains no secret', async () => {
  const found = new Set<string>()
  const secrets: string[] = []
  for (const path of listFiles()) {
    const inside = await secretsIn(path, readSource(path))
    if (inside.length > 0 && knownSecrets.has(path)) found.add(path)
    else secrets.push(...inside)
  }
  assert.deepEqual(secrets, [])
  assert.deepEqual(
    [...knownSecrets.keys()].filter((path) => !found.has(path)),
    [],
    'exceptions that nothing needs',
  )
})

test('secretsIn finds keys, tokens and passwords in addresses', async () => {
  // Assembled here, so that this file itself contains no secret.
  for (const secret of [
    readSource('protocol/vectors/agent/test-only-keys/hub_ed25519'),
    ['token: xoxb', '123456789012', '1234567890123', '4mt0t4l1YL3g1T5L4cK70k3N'].join('-'),
    ['https://user', 'horse-battery@example.com/'].join(':'),
  ])
    assert.equal((await secretsIn('a.txt', `first line\n${secret}\n`)).length, 1, secret.slice(0, 20))
  assert.deepEqual(await secretsIn('a.txt', 'no secret'), [])
})

test('builds and checks use only packages of a lock file', () => {
  const scripts = listFiles().filter(
    (path) => /(^|\/)(Dockerfile|\.ci\/run)$|\.(sh|mjs)$|^tools\/.*\.ts$|package\.json$/.test(path) && !path.endsWith('.test.ts'),
  )
  const loose = scripts.flatMap((path) =>
    readSource(path)
      .split('\n')
      .filter((line) => /\bnpx\b|\bnpm (?:i|install)\b(?! -g npm)|\bcargo (?:build|test|clippy|install)\b|\bpip3? install\b/.test(line))
      .filter((line) => !/--locked|==\d/.test(line) && !/^\s*(?:\*|\/\/|#)/.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  )
  assert.deepEqual(loose, [])
})
