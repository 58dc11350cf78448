import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { Client } from 'pg'
import { openImportFolder } from '../../src/cli/import/import-target.ts'
import { takeDataDirectory } from '../../src/startup/data-directory.ts'
import { compiledSources } from '../compiled-sources.ts'
import { databases } from '../databases.ts'
import { startHubProcess } from '../hub-process.ts'
import { contentOf, foreignFolder } from './source/foreign-folder.ts'

const program = join(import.meta.dirname, '..', '..', 'src', 'vedette.ts')
const environment = { NODE_NO_WARNINGS: '1', PATH: process.env['PATH'], ...compiledSources }

/** Tests of many seconds run in the long suite. */
const onlyLong = process.env['VEDETTE_LONG'] === '1' ? false : 'only in the long suite'

/** Runs the real program. */
async function vedette(args: readonly string[], input = '') {
  const child = spawn(process.execPath, [program, ...args], { env: environment })
  child.stdin.end(input)
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { status: child.exitCode, said: said.trim(), complained: complained.trim() }
}

test('vedette import --dry-run prints the rehearsal and writes nothing', { timeout: 300_000 }, async () => {
  using theirs = foreignFolder()
  const before = contentOf(theirs.path)
  const { status, said, complained } = await vedette(['import', theirs.path, '--dry-run', '--data', theirs.data])
  assert.deepEqual([status, complained], [0, ''])
  const lines = said.split('\n')
  assert.match(lines[0] ?? '', /^DATA +FOUND +TAKEN +ALREADY HERE +CHANGED +LEFT OUT$/)
  assert.match(said, /^SSH key +1 +1 +0 +0 +0$/m)
  assert.match(said, /^Disk space: about \d+ MiB needed, \d+ MiB free$/m)
  assert.match(said, /^Time: less than 1 min$/m)
  assert.equal(lines.at(-1), 'Nothing was written. Run the command without --dry-run to import.')
  assert.ok(!existsSync(theirs.data))
  assert.deepEqual(contentOf(theirs.path), before)
  assert.doesNotMatch(said, /No account will be an admin/)
  const changed = new DatabaseSync(theirs.database)
  changed.exec("update users set role = 'user'")
  changed.close()
  const without = await vedette(['import', theirs.path, '--dry-run', '--data', theirs.data])
  assert.match(without.said, /^No account will be an admin\. Choose superusers with --admin EMAIL, or later: vedette user create /m)
})

test(
  'vedette import makes a new data folder with the key of the other hub; a second import finds it there',
  { timeout: 300_000 },
  async () => {
    using theirs = foreignFolder()
    const before = contentOf(theirs.path)
    const first = await vedette(['import', theirs.path, '--data', theirs.data])
    assert.deepEqual([first.status, first.complained], [0, ''])
    assert.match(first.said, /\n100 %\nThe import is complete\. Stop the other hub, and start this one on its address\.$/)
    assert.equal(readFileSync(join(theirs.data, 'id_ed25519'), 'utf8'), theirs.privateKey)
    const made = ['id_ed25519', 'id_ed25519.pub', 'instance', 'secret.key', 'vedette.sqlite']
    assert.deepEqual(readdirSync(theirs.data).toSorted(), made)
    const second = await vedette(['import', theirs.path, '--data', theirs.data])
    assert.equal(second.status, 0)
    assert.match(second.said, /^SSH key +1 +0 +1 +0 +0$/m)
    assert.deepEqual(readdirSync(theirs.data).toSorted(), made)
    assert.deepEqual(contentOf(theirs.path), before)
  },
)

test('vedette import refuses bad input with one sentence, and makes no data folder', { timeout: 300_000 }, async () => {
  using theirs = foreignFolder()
  const none = await vedette(['import', theirs.parent, '--data', theirs.data])
  assert.deepEqual([none.status, none.said], [1, ''])
  assert.match(none.complained, /^Cannot import ".*": it has no file data\.db; give the data folder of the other hub, such as beszel_data$/)
  writeFileSync(join(theirs.path, 'id_ed25519'), 'no key')
  const { status, complained } = await vedette(['import', theirs.path, '--data', theirs.data])
  assert.equal(status, 1)
  assert.match(
    complained,
    /^Cannot import the SSH key of the other hub \(.*\); put its file id_ed25519 back, or keep the key of this hub with --key ours$/,
  )
  assert.ok(!existsSync(theirs.data))
})

test('openImportFolder refuses the folder of the other hub, and changes nothing in it', () => {
  using theirs = foreignFolder()
  const before = contentOf(theirs.path)
  for (const path of [theirs.path, theirs.database])
    assert.throws(() => openImportFolder({ data: theirs.path, database: undefined }, path, false), {
      name: 'TransferRefusedError',
      message: `Cannot import into "${theirs.path}": it is the folder of the other hub; give another folder for the data of this hub with --data`,
    })
  assert.deepEqual(contentOf(theirs.path), before)
})

test('vedette import refuses a data folder that a hub uses; a rehearsal runs beside it', { timeout: 300_000 }, async () => {
  using theirs = foreignFolder()
  // The lock that a running hub holds.
  const lock = takeDataDirectory(theirs.data)
  try {
    const { status, complained } = await vedette(['import', theirs.path, '--data', theirs.data])
    assert.equal(status, 1)
    assert.match(complained, /^Cannot use the data directory ".*": another hub is using it \(process \d+\); stop that hub, /)
    const rehearsal = await vedette(['import', theirs.path, '--dry-run', '--data', theirs.data])
    assert.deepEqual([rehearsal.status, rehearsal.complained], [0, ''])
  } finally {
    lock.release()
  }
})

test('vedette import asks for --accept-old when the files are newer than the samples', { timeout: 300_000 }, async () => {
  using theirs = foreignFolder()
  const at = new Date('2026-11-25T08:00:00Z')
  utimesSync(theirs.database, at, at)
  const { status, complained } = await vedette(['import', theirs.path, '--data', theirs.data])
  assert.equal(status, 1)
  assert.match(
    complained,
    /^Cannot import ".*": its newest sample is of 2026-11-23T14:[0-9:]+Z, but its files changed at 2026-11-25T08:00:00Z; see whether its file data\.db-wal is missing, or import it as it is with --accept-old$/,
  )
  assert.ok(!existsSync(theirs.data))
  assert.equal((await vedette(['import', theirs.path, '--accept-old', '--data', theirs.data])).status, 0)
})

/** script(1) provides a terminal. */
const noTerminals = spawnSync('script', ['--version']).status === 0 ? false : 'script(1) is missing; apt-get install bsdutils'

test(
  'vedette import asks on a terminal about old samples, shows a bar, and stops at Ctrl-C',
  { timeout: 300_000, skip: onlyLong || noTerminals },
  async () => {
    using theirs = foreignFolder()
    const at = new Date('2026-11-25T08:00:00Z')
    utimesSync(theirs.database, at, at)
    // The shell must not stay between, because it would end with a status of its own at Ctrl-C.
    const command = `exec '${process.execPath}' '${program}' import '${theirs.path}' --data '${theirs.data}'`
    /** Sends `reply` after the question. */
    const atTerminal = async (reply: string) => {
      const child = spawn('script', ['-qec', command, '/dev/null'], { env: { ...environment, TERM: 'xterm' } })
      let shown = ''
      let isSent = false
      child.stdout.on('data', (chunk: Buffer) => {
        shown += chunk.toString('utf8')
        if (isSent || !shown.includes('[y/N]')) return
        isSent = true
        child.stdin.write(reply)
      })
      const [status]: (number | null)[] = await once(child, 'exit')
      return { status, shown }
    }
    const stopped = await atTerminal('\u0003')
    assert.equal(stopped.status, 1)
    assert.match(stopped.shown, /The import was stopped: run it again to continue\r\n$/)
    // Ctrl-D is no.
    const ended = await atTerminal('\u0004')
    assert.equal(ended.status, 1)
    assert.match(ended.shown, /newer samples may be missing\. Import it\? \[y\/N\]/)
    assert.match(ended.shown, /Cannot import ".*": its newest sample is of/)
    assert.ok(!existsSync(theirs.data))
    const accepted = await atTerminal('y\n')
    assert.equal(accepted.status, 0)
    assert.match(accepted.shown, /\r\[#{30}\] 100 %\r\n/)
  },
)

test('vedette import refuses a wrong call with status 2, and lists its options', { timeout: 300_000 }, async () => {
  const wrong = await vedette(['import', '--key', 'mine'])
  assert.deepEqual(wrong, { status: 2, said: '', complained: '--key: expected theirs or ours' })
  const help = await vedette(['import', '--help'])
  assert.equal(help.status, 0)
  for (const option of ['--dry-run', '--accept-old', '--admin EMAIL', '--key KEY', '--data DIR']) assert.ok(help.said.includes(option))
})

test(
  'vedette import rehearses on an empty PostgreSQL database without making tables, fills it, and refuses it while a hub uses it',
  { timeout: 300_000, skip: onlyLong },
  async () => {
    using theirs = foreignFolder()
    const postgres = databases.find(({ name }) => name === 'postgres')
    assert.ok(postgres)
    await using place = await postgres.place()
    assert.ok('url' in place.at)
    const client = new Client({ connectionString: place.at.url })
    await client.connect()
    try {
      const hasTables = async () => (await client.query("select to_regclass('hub_state') is not null as found")).rows[0]?.found === true
      const where = ['--data', theirs.data, '--database', place.at.url]
      const rehearsal = await vedette(['import', theirs.path, '--dry-run', ...where])
      assert.deepEqual([rehearsal.status, rehearsal.complained, await hasTables()], [0, '', false])
      assert.ok(!existsSync(theirs.data))
      const done = await vedette(['import', theirs.path, ...where])
      assert.deepEqual([done.status, done.complained, await hasTables()], [0, '', true])
      assert.deepEqual(readdirSync(theirs.data).toSorted(), ['id_ed25519', 'id_ed25519.pub', 'instance', 'secret.key'])
      // A hub of the database on another machine, which has its own data folder.
      const other = join(theirs.parent, 'other')
      cpSync(theirs.data, other, { recursive: true })
      const hub = await startHubProcess(['--data', other, '--database', place.at.url])
      try {
        const { status, complained } = await vedette(['import', theirs.path, ...where])
        assert.equal(status, 1)
        assert.match(complained, /^Cannot import: the hub ".+" is using the database; stop all its hubs, and import again$/)
      } finally {
        hub.kill('SIGTERM')
        await hub.ended
      }
    } finally {
      await client.end()
    }
  },
)
