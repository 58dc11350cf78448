import assert from 'node:assert/strict'
import { allDuties } from '../../src/platform/cluster/duties.ts'
import { mock, test, type TestContext } from 'node:test'
import { nextAfter } from '../../src/operations/backups/schedule.ts'
import type { Database } from '../../src/platform/db/database.ts'
import type { Job } from '../../src/operations/jobs/job.ts'
import { startJobs, type Jobs } from '../../src/operations/jobs/jobs.ts'
import { startRepeatedJob, type RepeatedJob } from '../../src/operations/jobs/repeated-job.ts'
import { deleteOldDeliveries } from '../../src/alerts/notifications/delivery-store.ts'
import { databases, silentLog } from '../databases.ts'
import { call } from '../mailing-hub.ts'
import { recordedHub } from '../recorded-hub.ts'

/** Jobs on a hub with a test clock. `did` has the names of the jobs that ran, in order. */
async function scheduled(
  context: TestContext,
  database: Database,
  jobs: readonly (Pick<Partial<Job>, 'run'> & { readonly id: string; readonly expression?: () => Promise<string> })[],
) {
  mock.timers.enable({ apis: ['setTimeout'] })
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
  const started = await startJobs({ jobs: whole, repeated: [], duties: allDuties, database, clock: { now: () => now.ms }, log: silentLog })
  return {
    did,
    jobs: started,
    /** Advances the clock, and waits until due jobs have run. */
    pass: async (ms: number) => {
      now.ms += ms
      mock.timers.tick(15_000)
      await started.settled()
    },
  }
}

test('the next run of each scheduled job is the time of its cron expression', async () => {
  const [sqlite] = databases
  assert.ok(sqlite)
  await using hub = await recordedHub(sqlite)
  for (const { expression, nextMs } of await hub.jobs.list()) {
    if (expression === '') assert.equal(nextMs, undefined)
    else assert.ok(nextMs !== undefined && nextAfter(expression, nextMs - 1) === nextMs && nextMs - Date.now() <= 3_600_000)
  }
})

test('a repeated job is listed with its last run, and runs again after a failure', (context) =>
  oneOngoing(context, async ({ jobs, work, now, answers }) => {
    const [before] = await jobs.list()
    assert.deepEqual(before, {
      id: 'beat',
      expression: '',
      everyMs: 60_000,
      deletes: false,
      isRunning: false,
      nextMs: 60_000,
      last: undefined,
    })
    for (const failure of [undefined, 'no route']) {
      answers.push(failure === undefined ? Promise.resolve({}) : Promise.reject(new Error(failure)))
      now.ms += 60_000
      mock.timers.tick(60_000)
      await work.run()
      const [after] = await jobs.list()
      assert.deepEqual([after?.last, after?.nextMs], [{ startedMs: now.ms, tookMs: 0, failure }, now.ms + 60_000])
    }
  }))

test('a repeated job does not run twice at the same time', (context) =>
  oneOngoing(context, async ({ jobs, answers }) => {
    const { promise, resolve } = Promise.withResolvers<object>()
    answers.push(promise, Promise.resolve({ removed: 2 }))
    const both = [jobs.run('beat'), jobs.run('beat')]
    assert.equal((await jobs.list())[0]?.isRunning, true)
    resolve({})
    assert.deepEqual(await Promise.all(both), [true, true])
    assert.deepEqual((await jobs.list())[0]?.last?.removed, undefined)
  }))

test('closing a repeated job aborts its run and waits for its end', async () => {
  const { promise, resolve } = Promise.withResolvers<object>()
  let signal: AbortSignal | undefined
  const work = startRepeatedJob({
    id: 'upkeep',
    duties: allDuties,
    everyMs: 60_000,
    clock: { now: () => 0 },
    run: (given) => {
      signal = given
      return promise
    },
  })
  void work.run()
  let isClosed = false
  const closed = work[Symbol.asyncDispose]().then(() => (isClosed = true))
  assert.equal(signal?.aborted, true)
  await new Promise((done) => setImmediate(done))
  assert.equal(isClosed, false)
  resolve({})
  await closed
})

/** A job that repeats every minute on a test clock. Its runs return the `answers` in turn. */
async function oneOngoing(
  context: TestContext,
  check: (it: {
    readonly jobs: Jobs
    readonly work: RepeatedJob
    readonly now: { ms: number }
    readonly answers: Promise<object>[]
  }) => Promise<void>,
): Promise<void> {
  const [sqlite] = databases
  assert.ok(sqlite)
  await using opened = await sqlite.open()
  mock.timers.enable({ apis: ['setTimeout'] })
  context.after(() => mock.timers.reset())
  const now = { ms: 0 }
  const clock = { now: () => now.ms }
  const answers: Promise<object>[] = []
  await using work = startRepeatedJob({
    id: 'beat',
    duties: allDuties,
    everyMs: 60_000,
    clock,
    run: async () => (await answers.shift()) ?? {},
  })
  await using jobs = await startJobs({ jobs: [], repeated: [work], duties: allDuties, database: opened.database, clock, log: silentLog })
  await check({ jobs, work, now, answers })
}

for (const kind of databases) {
  test(`${kind.name}: a job runs when due, once for all missed times, and never without a schedule`, async (context) => {
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

  test(`${kind.name}: a job that fails, or whose schedule cannot be read, stops no other job, and results survive a restart`, async (context) => {
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

  test(`${kind.name}: a running job does not run a second time at once`, async (context) => {
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

  test(`${kind.name}: admins list the hub's jobs and run one now, which the audit log records`, async () => {
    await using hub = await recordedHub(kind)
    const token = await hub.tokenOf('super')
    const crons = await hub.app.request('/api/crons', { headers: { authorization: token } })
    assert.deepEqual(await crons.json(), [
      { id: 'logs', expression: '*/10 * * * *' },
      { id: 'sessions', expression: '0 * * * *' },
      { id: 'deliveries', expression: '0 * * * *' },
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
    }[] // the response of the route
    assert.deepEqual(
      jobs.map(({ id, next, last }) => [id, next !== null, last?.removed]),
      [
        ['backups', false, undefined],
        ['logs', true, undefined],
        ['sessions', true, 1],
        ['deliveries', true, undefined],
      ],
    )
    assert.equal((await call(hub, 'GET /api/vedette/audit?target=jobs', {}, { token })).body['totalItems'], 1)
    assert.equal((await call(hub, 'POST /api/crons/nope', {}, { token })).status, 404)
  })

  test(`${kind.name}: finished deliveries and notices are deleted after thirty days, waiting ones are not`, async () => {
    await using opened = await kind.open()
    const { database } = opened
    const nowMs = Date.parse('2026-11-21T04:00:00Z')
    const [young, old] = [nowMs - 29 * 86_400_000, nowMs - 31 * 86_400_000]
    const delivery = {
      place: 1,
      owner: 'o',
      channel: 'c',
      kind: 'webhook',
      notices: '[]',
      job: '',
      due: 0,
      scheduled: 0,
      expires: 0,
      attempts: 1,
      said: '',
    }
    await database.write(async ({ sql }) => {
      for (const [id, state, at] of [
        ['waits', 'waiting', old],
        ['ended', 'delivered', old],
        ['young', 'refused', young],
      ] as const)
        await sql
          .insertInto('deliveries')
          .values({ ...delivery, id, state, at })
          .execute()
    })
    assert.equal(await deleteOldDeliveries(database, nowMs), 1)
    const left = await database.kysely.selectFrom('deliveries').select('id').orderBy('id').execute()
    assert.deepEqual(
      left.map(({ id }) => id),
      ['waits', 'young'],
    )
  })
}
