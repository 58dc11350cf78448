import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setImmediate as othersTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { openDatabase } from '../../src/platform/db/open-database.ts'
import { SQLITE_FILE } from '../../src/platform/db/sqlite/sqlite.ts'
import { inProcessEventBus } from '../../src/platform/events/event-bus.ts'
import { compiledSources } from '../compiled-sources.ts'
import { databases, silentLog, type TestDatabaseKind } from '../databases.ts'
import { startHubProcess } from '../hub-process.ts'
import { makeMemoryFolder } from '../memory-folder.ts'
import { transactionWaits } from '../waiting-transaction.ts'

const program = join(import.meta.dirname, '..', '..', 'src', 'vedette.ts')
const ADMIN = { identity: 'admin@example.com', password: 'correct-horse-1' }

/** A data folder and a database with one admin, and functions that run the real command line on them. */
async function commandScene(kind: TestDatabaseKind) {
  await using made = new AsyncDisposableStack()
  const data = makeMemoryFolder('vedette-config-')
  made.defer(() => rmSync(data, { recursive: true, force: true }))
  const { at } = made.use(await kind.place())
  const where = ['--data', data, ...('url' in at ? ['--database', at.url] : [])]
  const start = (args: readonly string[]) =>
    spawn(process.execPath, [program, ...args, ...where], { env: { NODE_NO_WARNINGS: '1', ...compiledSources } })
  async function vedette(args: readonly string[], input = '') {
    const child = start(args)
    child.stdin.end(input)
    const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    return { status: child.exitCode, said, complained: complained.trim() }
  }
  const created = await vedette(['user', 'create', ADMIN.identity, '--role', 'admin', '--password-stdin'], ADMIN.password)
  assert.equal(created.status, 0, created.complained)
  const kept = made.move()
  return {
    data,
    at: 'url' in at ? at : { directory: data },
    where,
    start,
    vedette,
    /** Writes a configuration file and returns its path. */
    file(content: string): string {
      const path = join(data, 'wanted.yml')
      writeFileSync(path, content)
      return path
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

const webSystem = `version: 1
tagRules:
  - tag: from-rule
    filter: name ~ 'web'
systems:
  - name: web
    host: 127.0.0.1
    port: 1
    users: [admin@example.com]
`

/** In the short run, one test with a running hub. Each start of a program takes seconds on a busy machine. */
const skip = process.env['VEDETTE_LONG'] === '1' ? false : 'only in the long run'

for (const kind of databases) {
  test(`${kind.name}: the commands export and apply a configuration`, { timeout: 300_000, skip }, async () => {
    await using scene = await commandScene(kind)
    const { vedette } = scene
    const path = scene.file(webSystem)
    const dry = await vedette(['apply', 'config', path, '--dry-run'])
    assert.deepEqual([dry.status, dry.complained], [0, ''])
    assert.match(
      dry.said,
      /^\+ tag rule "from-rule" .*\n\+ system "web"\n(?: {4}.*\n)+Not in the file, .*: 1 in users\n2 changes\. Nothing was written\..*\n$/,
    )
    assert.doesNotMatch((await vedette(['export', 'config'])).said, /web/)
    const applied = await vedette(['apply', 'config', path])
    assert.match(applied.said, /\nApplied 2 changes\.\n$/, applied.complained)
    const first = await vedette(['export', 'config'])
    const again = await vedette(['apply', 'config', scene.file(first.said), '--delete-missing'])
    assert.deepEqual([again.status, again.said], [0, 'no differences\n'])
    assert.equal((await vedette(['export', 'config'])).said, first.said)
    const wrong = await vedette(['apply', 'config', scene.file(`${webSystem}    tags: 3\n`)])
    assert.deepEqual([wrong.status, wrong.said], [1, ''])
    assert.match(wrong.complained, /^line 10: systems\[0\]\.tags: /)
    const foreign = await vedette(['user', 'list', '--dry-run'])
    assert.deepEqual([foreign.status, foreign.complained], [2, '--dry-run: "user list" has no such option'])
  })

  // The rule was not there when the hub started. Only an event makes the hub evaluate it before 5 min.
  test(
    `${kind.name}: a running hub acts on a configuration that the command applies`,
    { timeout: 300_000, skip: kind.name !== 'sqlite' && skip },
    async () => {
      await using scene = await commandScene(kind)
      const hub = await startHubProcess(scene.where)
      try {
        const signIn = await call(hub.address, '', 'users/auth-with-password', ADMIN)
        const token = String(signIn['token'])
        const applied = await scene.vedette(['apply', 'config', scene.file(webSystem)])
        assert.equal(applied.status, 0, applied.complained)
        let tags: unknown
        while (JSON.stringify(tags) !== '["from-rule"]')
          [{ tags }] = (await call(hub.address, token, 'systems/records'))['items'] as [{ readonly tags?: unknown }]
      } finally {
        hub.kill('SIGTERM')
        await hub.ended
      }
    },
  )
}

async function call(address: string, token: string, path: string, body?: object) {
  const response = await fetch(`${address}/api/collections/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...(token !== '' && { authorization: token }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return (await response.json()) as { readonly [name: string]: unknown } // the hub responds with objects
}

test('postgres: a command that is killed while it applies a configuration leaves nothing of it', { timeout: 300_000, skip }, async () => {
  const kind = databases.find(({ name }) => name === 'postgres')
  assert.ok(kind)
  await using scene = await commandScene(kind)
  await scene.vedette(['apply', 'config', scene.file(webSystem)])
  const before = (await scene.vedette(['export', 'config'])).said
  const path = scene.file(`version: 1\ngroups:\n  - name: new\nsystems:\n  - name: web\n    host: 127.0.0.2\n`)
  const database = await openDatabase({ at: scene.at, bus: inProcessEventBus(), log: silentLog })
  try {
    // The group is new in the command's transaction when it waits for the row of the system.
    await database.write(async (unit) => {
      await sql`update systems set host = host where name = 'web'`.execute(unit.sql)
      const child = scene.start(['apply', 'config', path])
      const ended = once(child, 'exit')
      await transactionWaits(database)
      child.kill('SIGKILL')
      await ended
    })
    assert.equal((await scene.vedette(['export', 'config'])).said, before)
    assert.equal((await scene.vedette(['apply', 'config', path])).status, 0)
  } finally {
    await database.close()
  }
})

test('sqlite: a command that is killed while it applies a configuration leaves all or nothing', { timeout: 300_000, skip }, async () => {
  const kind = databases.find(({ name }) => name === 'sqlite')
  assert.ok(kind)
  await using scene = await commandScene(kind)
  const RULES = 2500
  const rules = Array.from({ length: RULES }, (_, at) => `  - {tag: t${at}, filter: "name = '${'x'.repeat(1900)}'"}`)
  const path = scene.file(`version: 1\ntagRules:\n${rules.join('\n')}\n`)
  const wal = join(scene.data, `${SQLITE_FILE}-wal`)
  const child = scene.start(['apply', 'config', path])
  const ended = once(child, 'exit')
  const isEnded = ended.then(() => true)
  // A transaction larger than SQLite's cache writes to the WAL before its end.
  while ((statSync(wal, { throwIfNoEntry: false })?.size ?? 0) < 500_000 && !(await Promise.race([isEnded, othersTurn(false)])));
  child.kill('SIGKILL')
  await ended
  const { said } = await scene.vedette(['export', 'config'])
  const count = said.match(/tag: t\d+/g)?.length ?? 0
  assert.ok(count === 0 || count === RULES, `${count} of ${RULES} rules`)
  assert.equal((await scene.vedette(['apply', 'config', path])).status, 0)
})
