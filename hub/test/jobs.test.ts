import assert from 'node:assert/strict'
import { mock, test, type TestContext } from 'node:test'
import { nextAfter } from '../src/backups/schedule.ts'
import type { Database } from '../src/db/database.ts'
import type { Job } from '../src/jobs/job.ts'
import { startJobs } from '../src/jobs/jobs.ts'
import { databases, silentLog } from './databases.ts'
import { call } from './mailing-hub.ts'
import { recordedHub } from './recorded-hub.ts'

/** Jobs on a hub whose clock the test moves; `did` is who ran, in order. */
async function scheduled(
  context: TestContext,
  database: Database,
  jobs: readonly (Pick<Partial<Job>, 'run'> & { readonly id: string; readonly expression?: () => Promise<string> })[],
) {
  mock.timers.enable({ apis: ['setInterval'] })
  context.after(() => mock.timers.reset())
  const now = { ms: Date.parse('2026-11-21T03:59:00Z') }
  const did: string[] = []
  const whole = jobs.map(({ id, expression, run }) => ({
    id,
    schedule: async () => {
      const text = (await expression?.()) ?? '0 4 * * *'
      return { expression: text, nextAfter: (afterMs: number) => (text === '' ? undefined : nextAfter(text, afterMs)) }
    },
    deletes: false,
    async run() {
      did.push(id)
      return (await run?.()) ?? {}
    },
  }))
  const started = await startJobs({ jobs: whole, database, clock: { now: () => now.ms }, log: silentLog })
  return {
    did,
    jobs: started,
    /** Lets time pass, and what is due be done. */
    pass: async (ms: number) => {
      now.ms += ms
      mock.timers.tick(15_000)
      await started.settled()
    },
  }
}

test('what is done every so often falls due when its expression says', async () => {
  const [sqlite] = databases
  assert.ok(sqlite)
  await using hub = await recordedHub(sqlite)
  for (const { expression, nextMs } of await hub.jobs.list()) {
    if (expression === '') assert.equal(nextMs, undefined)
    else assert.ok(nextMs !== undefined && nextAfter(expression, nextMs - 1) === nextMs && nextMs - Date.now() <= 3_600_000)
  }
})

for (const kind of databases) {
  test(`${kind.name}: a job runs when it is due, once for all that fell due meanwhile, and not without a schedule`, async (context) => {
    await using opened = await kind.open()
    const never = { id: 'never', expression: async () => '' }
    const { did, pass, jobs } = await scheduled(context, opened.database, [{ id: 'daily' }, never])
    await pass(30_000)
    assert.deepEqual(did, [])
    await pass(30_000)
    assert.deepEqual(did, ['daily'])
    await pass(15_000)
    await pass(3_600_000)
    assert.equal(did.length, 1)
    await pass(3 * 86_400_000)
    await pass(15_000)
    assert.deepEqual(did, ['daily', 'daily'])
    await jobs[Symbol.asyncDispose]()
  })

  test(`${kind.name}: a job that fails, or has a schedule nobody can read, stops no other; what came of it survives a start`, async (context) => {
    await using opened = await kind.open()
    const jobs = [
      { id: 'odd', expression: () => Promise.reject(new Error('away')) },
      { id: 'bad', run: () => Promise.reject(new Error('no room')) },
      { id: 'good', run: async () => ({ removed: 3 }) },
    ]
    const first = await scheduled(context, opened.database, jobs)
    await first.pass(60_000)
    assert.deepEqual(first.did, ['bad', 'good'])
    await first.jobs[Symbol.asyncDispose]()
    mock.timers.reset()
    const again = await scheduled(context, opened.database, jobs.slice(1))
    const startedMs = Date.parse('2026-11-21T04:00:00Z')
    assert.deepEqual(
      (await again.jobs.list()).map(({ id, last, nextMs }) => [id, last, nextMs]),
      [
        ['bad', { startedMs, tookMs: 0, failure: 'no room' }, startedMs],
        ['good', { startedMs, tookMs: 0, failure: undefined, removed: 3 }, startedMs],
      ],
    )
    await again.jobs[Symbol.asyncDispose]()
  })

  test(`${kind.name}: a job that runs is not run a second time beside itself`, async (context) => {
    await using opened = await kind.open()
    const { promise, resolve } = Promise.withResolvers<void>()
    const { did, jobs } = await scheduled(context, opened.database, [{ id: 'long', run: () => promise.then(() => ({})) }])
    const both = [jobs.run('long'), jobs.run('long')]
    assert.equal(await jobs.run('none'), false)
    assert.deepEqual(
      (await jobs.list()).map(({ isRunning }) => isRunning),
      [true],
    )
    resolve()
    await Promise.all(both)
    assert.deepEqual([did, (await jobs.list())[0]?.isRunning], [['long'], false])
    await jobs[Symbol.asyncDispose]()
  })

  test(`${kind.name}: admins see what the hub does by itself, and run it now, which is written down`, async () => {
    await using hub = await recordedHub(kind)
    const token = await hub.tokenOf('super')
    const crons = await hub.app.request('/api/crons', { headers: { authorization: token } })
    assert.deepEqual(await crons.json(), [
      { id: 'logs', expression: '*/10 * * * *' },
      { id: 'sessions', expression: '0 * * * *' },
    ])
    const { database } = hub.engine
    const row = { session: 's', account: 'a', collection: 'c', at: 0, address: '', browser: '', by: '', ended: 0 }
    const expiries = { old: 1, live: Date.now() + 3_600_000 }
    for (const [digest, expires] of Object.entries(expiries))
      await database.write(
        async ({ sql }) =>
          void (await sql
            .insertInto('session_tokens')
            .values({ ...row, digest, expires })
            .execute()),
      )
    assert.equal((await call(hub, 'POST /api/crons/sessions', {}, { token })).status, 204)
    await hub.jobs.settled()
    const left = await database.kysely.selectFrom('session_tokens').select('digest').where('account', '=', 'a').execute()
    assert.deepEqual(left, [{ digest: 'live' }])
    const listed = await hub.app.request('/api/vedette/jobs', { headers: { authorization: token } })
    const jobs = (await listed.json()) as readonly {
      readonly id: string
      readonly next: number | null
      readonly last: { readonly removed: number } | null
    }[] // what the route answers
    assert.deepEqual(
      jobs.map(({ id, next, last }) => [id, next !== null, last?.removed]),
      [
        ['backups', false, undefined],
        ['logs', true, undefined],
        ['sessions', true, 1],
      ],
    )
    assert.equal((await call(hub, 'GET /api/vedette/audit?target=jobs', {}, { token })).body['totalItems'], 1)
    assert.equal((await call(hub, 'POST /api/crons/nope', {}, { token })).status, 404)
  })
}
