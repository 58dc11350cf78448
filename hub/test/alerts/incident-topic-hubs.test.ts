import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { call, hubsOfOneDatabase, PASSWORD, signIn, until, type SignedIn } from '../hubs-of-one-database.ts'
import { startNatsServer } from '../nats-server.ts'
import { streamedEvents } from '../streamed-events.ts'

const MINUTE_MS = 60_000

test('postgres: events of an incident reach its owner and the people of its escalation on every hub, and nobody else', async () => {
  await using stack = new AsyncDisposableStack()
  const hubs = stack.use(await hubsOfOneDatabase(stack.use(await startNatsServer()).url))
  const a = await hubs.start('a')
  const b = await hubs.start('b')
  const admin = await signIn(a)

  async function addPerson(name: string): Promise<SignedIn> {
    const values = { email: `${name}@example.com`, name, role: 'user', password: PASSWORD, passwordConfirm: PASSWORD, verified: true }
    assert.equal((await call(a, admin.token, 'POST /api/collections/users/records', values)).status, 200)
    const person = await signIn(a, values.email, PASSWORD)
    const add = { webhooks: ['generic+https://pager.example.com/hook'] }
    assert.equal((await call(a, person.token, 'PATCH /api/account/settings', { add })).status, 200)
    return person
  }
  const [bob, eve, gone] = [await addPerson('bob'), await addPerson('eve'), await addPerson('gone')]
  const values = { name: 'web', host: '127.0.0.1', port: '1', status: 'paused', users: [bob.id, eve.id] }
  const { body: system } = await call(a, admin.token, 'POST /api/collections/systems/records', values)
  const client = new Client({ connectionString: hubs.flags()[1] })
  await client.connect()
  stack.defer(() => client.end())
  const nowMs = Date.now()

  /** Writes an active alert of the admin. With `unansweredMs`, its escalation counts from then. */
  const insertIncident = (id: string, unansweredMs: number | null) =>
    client.query(
      `insert into incidents (id, alert, owner, system, kind, target, threshold, minutes, began, ending, unanswered)
      values ($1, 'a', $2, $3, 'CPU', '', 80, 1, $4, '', $5)`,
      [id, admin.id, system['id'], nowMs - 10 * MINUTE_MS, unansweredMs],
    )
  const body = JSON.stringify({ systemName: 'web', kind: 'CPU', value: 90, threshold: 80, minutes: 1, beganMs: nowMs })
  const insertNotice = (incident: string, transition: string, owner: string) =>
    client.query(
      `insert into notices (id, incident, transition, owner, system, at, state, due, body) values ($1, $2, $3, $4, $5, $6, 'handed', $6, $7)`,
      [`${incident}-${transition}`, incident, transition, owner, system['id'], nowMs, body],
    )
  await insertIncident('i1', nowMs - 6 * MINUTE_MS)
  await insertNotice('i1', 'fired', admin.id)
  // This person has no access to the system any more.
  await insertNotice('i1', 'escalated-1', gone.id)
  await insertIncident('i2', null)
  for (const [minutes, { id }] of [bob, eve, gone].entries()) await insertNotice('i2', `escalated-${minutes + 1}`, id)

  const follow = async ({ token }: SignedIn) => stack.use(await streamedEvents(b.address, token, ['incidents', 'users/*']))
  const [ofAdmin, ofBob, ofEve] = [await follow(admin), await follow(bob), await follow(eve)]
  const ofGone = await follow(gone)
  const guest = stack.use(await streamedEvents(b.address, '', ['incidents']))
  const isOf = (incident: string) => (event: string) => event.includes(`{"incident":"${incident}"}`)
  const isAny = (event: string) => event.includes('"incident"')

  const [firstOfEve, firstOfGone, firstOfGuest] = [ofEve.next(isAny), ofGone.next(isAny), guest.next(isAny)]
  const escalated = [ofAdmin.next(isOf('i1')), ofBob.next(isOf('i1'))]
  const merge = { escalation: [{ minutes: 5, person: bob.id }] }
  assert.equal((await call(a, admin.token, 'PATCH /api/account/settings', { merge })).status, 200)
  await Promise.all(escalated)
  // An event has reached the streams of all its readers by now.
  const second = [ofAdmin.next(isOf('i2')), ofBob.next(isOf('i2'))]
  assert.equal((await call(a, bob.token, 'POST /api/vedette/incidents/i2/acknowledge', {})).status, 204)
  await Promise.all(second)
  assert.match(await firstOfEve, /"incident":"i2"/)

  // The next event after new access is the first one of this person.
  assert.equal((await call(a, gone.token, 'POST /api/vedette/incidents/i2/acknowledge', {})).status, 404)
  const users = [bob.id, eve.id, gone.id]
  assert.equal((await call(a, admin.token, `PATCH /api/collections/systems/records/${String(system['id'])}`, { users })).status, 200)
  await insertIncident('i3', null)
  await insertNotice('i3', 'escalated-1', gone.id)
  await until(
    () => call(b, gone.token, 'GET /api/vedette/incidents'),
    (response) => JSON.stringify(response.body).includes('"i3"'),
  )
  assert.equal((await call(b, gone.token, 'POST /api/vedette/incidents/i3/acknowledge', { note: 'back' })).status, 204)
  assert.match(await firstOfGone, /"incident":"i3"/)
  const unheard = Symbol('no event')
  assert.equal(await Promise.race([firstOfGuest, Promise.resolve(unheard)]), unheard)
})
