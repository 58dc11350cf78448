import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { compiledSources } from '../compiled-sources.ts'
import { databases } from '../databases.ts'

const program = join(import.meta.dirname, '..', '..', 'src', 'vedette.ts')

/** Runs the real program with `input` as its standard input. */
async function vedette(args: readonly string[], input = '') {
  const child = spawn(process.execPath, [program, ...args], { env: { NODE_NO_WARNINGS: '1', ...compiledSources } })
  child.stdin.end(input)
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { status: child.exitCode, said: said.trim(), complained: complained.trim() }
}

for (const kind of databases) {
  test(`${kind.name}: vedette creates accounts, lists them and sets passwords`, { timeout: 300_000 }, async () => {
    const data = mkdtempSync(join(tmpdir(), 'vedette-cli-'))
    await using place = await kind.place()
    const where = ['--data', data, ...('url' in place.at ? ['--database', place.at.url] : [])]
    try {
      const created = await vedette(
        ['user', 'create', 'admin@example.com', '--role', 'admin', '--password-stdin', ...where],
        'correct horse\n',
      )
      assert.deepEqual(created, { status: 0, said: 'Created admin@example.com (admin)', complained: '' })
      const again = await vedette(
        ['user', 'create', 'admin@example.com', '--role', 'user', '--password-stdin', ...where],
        'correct horse\n',
      )
      assert.deepEqual(
        [again.status, again.complained],
        [1, 'There is already an account of admin@example.com: set its password with "vedette user password"'],
      )
      assert.match((await vedette(['user', 'list', ...where])).said, /admin@example\.com {2}admin/)
      assert.equal((await vedette(['user', 'password', 'admin@example.com', '--password-stdin', ...where], 'another horse')).status, 0)
      const unknown = await vedette(['user', 'password', 'nobody@example.com', '--password-stdin', ...where], 'another horse')
      assert.deepEqual(
        [unknown.status, unknown.complained],
        [1, 'There is no account of nobody@example.com: "vedette user list" shows all'],
      )
      const without = await vedette(['user', 'remove-second-factor', 'admin@example.com', ...where])
      assert.deepEqual([without.status, without.complained], [1, 'The account of admin@example.com has no second factor'])
    } finally {
      rmSync(data, { recursive: true, force: true })
    }
  })
}

test('vedette refuses a data directory that belongs to another database', { timeout: 300_000 }, async () => {
  const data = mkdtempSync(join(tmpdir(), 'vedette-cli-'))
  const postgres = databases.find(({ name }) => name === 'postgres')
  assert.ok(postgres)
  await using place = await postgres.place()
  try {
    const create = ['user', 'create', 'admin@example.com', '--role', 'admin', '--password-stdin', '--data', data]
    assert.equal((await vedette(create, 'correct horse\n')).status, 0)
    assert.ok('url' in place.at)
    const other = await vedette(['user', 'list', '--data', data, '--database', place.at.url])
    assert.equal(other.status, 1)
    assert.match(other.complained, /^Cannot use the data directory ".*" with this database: it belongs to another one; .*$/)
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
})

test('vedette refuses a folder without data of a hub, and creates nothing in it', { timeout: 300_000 }, async () => {
  const parent = mkdtempSync(join(tmpdir(), 'vedette-cli-'))
  const data = join(parent, 'data')
  try {
    for (const words of [
      ['user', 'list'],
      ['system', 'list'],
      ['history', 'stats'],
      ['backup', 'create'],
      ['backup', 'list'],
    ]) {
      const { status, complained } = await vedette([...words, '--data', data])
      assert.equal(status, 1)
      assert.equal(complained, `There is no data of a hub in "${data}": give its folder with --data, or with VEDETTE_DATA`)
    }
    assert.deepEqual(readdirSync(parent), [])
  } finally {
    rmSync(parent, { recursive: true, force: true })
  }
})

const wrongCalls: readonly (readonly [string, readonly string[], string, RegExp])[] = [
  ['an unknown command', ['user', 'destroy'], '', /^user destroy: there is no such command; --help lists all$/],
  ['a mistyped command', ['user', 'lsit'], '', /^user lsit: there is no such command; did you mean user list\?$/],
  ['a mistyped option', ['user', 'list', '--datta', 'x'], '', /^--datta: there is no such option; did you mean --data\?$/],
  [
    'every unknown option',
    ['user', 'list', '--a', '--b=1'],
    '',
    /^--a: there is no such option; --help lists all\n--b: there is no such option; --help lists all$/,
  ],
]

for (const [name, args, input, expected] of wrongCalls) {
  test(`vedette reports ${name} and changes nothing`, { timeout: 300_000 }, async () => {
    const result = await vedette(args, input)
    assert.equal(result.status, 2)
    assert.match(result.complained, expected)
  })
}
