import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listIncidents } from '../../src/alerts/incidents/incident-list.ts'
import { loadLinkedIncident, readLink } from '../../src/alerts/notifications/acknowledge-link.ts'
import { RecordError } from '../../src/records/model/record-error.ts'
import { databases } from '../databases.ts'
import { escalationScene } from '../escalation-scene.ts'

const fired = 'web CPU above threshold'
const escalated = `Escalated: ${fired}`
const resolved = 'web CPU below threshold'
const unreached = `Escalation reached nobody: ${fired}`

/** Message with which the hub refuses settings. */
async function refusal(change: Promise<unknown>): Promise<string | undefined> {
  try {
    await change
    return undefined
  } catch (error) {
    if (error instanceof RecordError) return String(error.data['settings']?.['message'])
    throw error
  }
}

for (const kind of databases) {
  test(`${kind.name}: only an admin can name another person, and steps of somebody who lost that role are not carried out`, async () => {
    await using scene = await escalationScene(kind)
    const bob = await scene.addPerson('bob')
    const person = { minutes: 15, person: bob.id }
    const onlyAdmins = '"escalation" is wrong: Only admins can name another person.'
    const carol = await scene.addPerson('carol')
    assert.equal(await refusal(scene.change(carol.id, { escalation: [person] })), onlyAdmins)
    await scene.change(carol.id, { escalation: [{ minutes: 5, channels: [scene.addresses.second] }] })
    await scene.setSteps([person])
    const { database, engine } = scene.scene
    await scene.scene.insert('users', { email: 'x@example.com', username: 'other', role: 'admin', verified: true, password: 'none' })
    await database.write((unit) => engine.store.update(unit, 'users', scene.owner.id, { role: 'user' }))
    await scene.setViewers([scene.owner.id, bob.id])
    // Stored steps stay, and other settings can be changed.
    await scene.setSteps([{ minutes: 5, channels: [scene.addresses.second] }, person])
    assert.equal(await refusal(scene.setSteps([{ minutes: 14, person: bob.id }])), onlyAdmins)
    await scene.setSteps([person])
    await scene.fire('i1')
    await scene.scene.pass(15)
    assert.deepEqual([bob.titles(), scene.titles()], [[], [fired, unreached]])
  })

  test(`${kind.name}: a person must have an account and be somebody else`, async () => {
    await using scene = await escalationScene(kind)
    assert.match((await refusal(scene.setSteps([{ minutes: 1, person: 'nobody' }]))) ?? '', /has no account/)
    assert.match((await refusal(scene.setSteps([{ minutes: 1, person: scene.owner.id }]))) ?? '', /another person/)
  })

  test(`${kind.name}: steps follow in their time until the end, and everybody is informed of that once`, async () => {
    await using scene = await escalationScene(kind)
    const [bob, carol] = [await scene.addPerson('bob'), await scene.addPerson('carol', { language: 'de' })]
    await scene.change(scene.owner.id, { webhooks: [scene.addresses.first, scene.addresses.second], name: 'Ada' })
    await scene.setSteps([
      { minutes: 5, channels: [scene.addresses.second] },
      { minutes: 15, person: bob.id },
      { minutes: 30, person: carol.id },
    ])
    await scene.fire('i1')
    await scene.scene.pass(4)
    assert.deepEqual([scene.titles(), scene.secondTitles()], [[fired], [fired]])
    await scene.scene.pass(1)
    assert.deepEqual([scene.titles(), scene.secondTitles(), bob.titles()], [[fired], [fired, escalated], []])
    await scene.scene.restart()
    await scene.scene.pass(9)
    assert.deepEqual(bob.titles(), [])
    await scene.scene.pass(1)
    assert.deepEqual([bob.titles(), carol.titles()], [[escalated], []])
    assert.match(bob.messages()[0] ?? '', /Nobody acknowledged the alert for 15 min\. admin@example\.com was notified first\./)
    await scene.scene.pass(15)
    assert.deepEqual(carol.titles(), ['Eskaliert: web: CPU-Auslastung über dem Schwellenwert'])
    assert.match(
      carol.messages()[0] ?? '',
      /Niemand hat den Alarm 30 min lang bestätigt\. Zuerst wurde admin@example\.com benachrichtigt\./,
    )
    await scene.scene.pass(600)
    const facts = { actor: scene.owner, context: 'default', method: 'GET', query: {}, headers: {} } as const
    const listed = await listIncidents(scene.scene.engine, { owner: scene.owner.id, facts, most: 9 })
    assert.deepEqual(
      listed.map(({ escalated: names }) => names),
      [[null, 'bob', 'carol']],
    )
    await scene.end('i1')
    await scene.scene.restart()
    await scene.scene.pass(600)
    assert.deepEqual(
      [scene.titles(), scene.secondTitles()],
      [
        [fired, resolved],
        [fired, escalated, resolved],
      ],
    )
    assert.deepEqual([bob.titles().slice(1), carol.titles().slice(1)], [[resolved], ['web: CPU-Auslastung unter dem Schwellenwert']])
  })

  test(`${kind.name}: an acknowledgement in between ends the escalation, and a step that quiet hours hold back`, async () => {
    await using scene = await escalationScene(kind)
    const [bob, carol] = [await scene.addPerson('bob'), await scene.addPerson('carol')]
    const night = { user: carol.id, type: 'daily', start: '2026-01-01 12:00:00.000Z', end: '2026-01-01 14:00:00.000Z' }
    await scene.scene.insert('quiet_hours', night)
    await scene.setSteps([
      { minutes: 10, person: carol.id },
      { minutes: 20, person: bob.id },
    ])
    for (const incident of ['i1', 'i2']) await scene.fire(incident)
    await scene.scene.pass(10)
    await scene.acknowledge('i1')
    await scene.scene.pass(10)
    assert.deepEqual(bob.titles(), [escalated])
    await scene.scene.pass(101)
    assert.deepEqual(carol.titles(), [escalated])
    await scene.end('i1')
    await scene.end('i2')
    assert.deepEqual(
      [bob.titles(), carol.titles()],
      [
        [escalated, resolved],
        [escalated, resolved],
      ],
    )
  })

  test(`${kind.name}: a snooze delays the next step by its length`, async () => {
    await using scene = await escalationScene(kind)
    const bob = await scene.addPerson('bob')
    await scene.setSteps([{ minutes: 30, person: bob.id }])
    await scene.fire('i1')
    await scene.scene.pass(20)
    await scene.acknowledge('i1', 120)
    await scene.scene.pass(60)
    await scene.acknowledge('i1', 90)
    await scene.scene.pass(99)
    assert.deepEqual(bob.titles(), [])
    await scene.scene.pass(1)
    assert.deepEqual(bob.titles(), [escalated])
  })

  test(`${kind.name}: a person who was deleted, lost the access or has no channel is skipped, and the next step follows at once`, async () => {
    for (const leave of ['delete', 'access', 'channel'] as const) {
      await using scene = await escalationScene(kind)
      const [bob, carol] = [await scene.addPerson('bob'), await scene.addPerson('carol')]
      await scene.setSteps([
        { minutes: 10, person: bob.id },
        { minutes: 60, person: carol.id },
      ])
      await scene.fire('i1')
      await scene.scene.pass(5)
      if (leave === 'delete') await scene.scene.remove('users', bob.id)
      if (leave === 'access') await scene.setViewers([carol.id])
      if (leave === 'channel') await scene.change(bob.id, { webhooks: [] })
      await scene.scene.pass(5)
      assert.deepEqual([bob.titles(), carol.titles(), scene.titles()], [[], [escalated], [fired]], leave)
      await scene.scene.pass(600)
      assert.deepEqual([carol.titles(), scene.titles()], [[escalated], [fired]], leave)
    }
  })

  test(`${kind.name}: the owner is informed once when the last step reaches nobody`, async () => {
    await using scene = await escalationScene(kind)
    const bob = await scene.addPerson('bob')
    await scene.setSteps([
      { minutes: 5, channels: [scene.addresses.second] },
      { minutes: 10, person: bob.id },
    ])
    await scene.setViewers([])
    await scene.fire('i1')
    await scene.scene.pass(5)
    assert.deepEqual(scene.titles(), [fired, unreached])
    await scene.scene.pass(600)
    assert.deepEqual([scene.titles(), bob.titles()], [[fired, unreached], []])
    await scene.end('i1')
    assert.deepEqual(bob.titles(), [])
  })

  test(`${kind.name}: a person who loses the access after a step gets nothing more`, async () => {
    await using scene = await escalationScene(kind)
    const bob = await scene.addPerson('bob')
    await scene.setSteps([{ minutes: 5, person: bob.id }])
    await scene.fire('i1')
    await scene.scene.pass(5)
    await scene.setViewers([])
    await scene.end('i1')
    assert.deepEqual(bob.titles(), [escalated])
  })

  test(`${kind.name}: "worse" begins again with the first step, and steps for critical alerts leave out warnings`, async () => {
    await using scene = await escalationScene(kind)
    const [bob, carol] = [await scene.addPerson('bob'), await scene.addPerson('carol')]
    await scene.setSteps([
      { minutes: 10, person: bob.id },
      { minutes: 20, person: carol.id, severity: 'critical' },
    ])
    await scene.fire('i1', 'warning')
    await scene.scene.pass(300)
    assert.deepEqual([bob.titles().length, carol.titles().length], [1, 0])
    await scene.acknowledge('i1')
    await scene.worsen('i1')
    await scene.scene.pass(9)
    assert.equal(bob.titles().length, 1)
    await scene.scene.pass(1)
    await scene.scene.pass(10)
    assert.deepEqual([bob.titles().length, carol.titles().length], [2, 1])
    await scene.end('i1')
    assert.deepEqual([bob.titles().slice(2), carol.titles().slice(1)], [[resolved], [resolved]])
  })

  test(`${kind.name}: a person is informed of the end also if the alert became critical after the step`, async () => {
    await using scene = await escalationScene(kind)
    const bob = await scene.addPerson('bob')
    await scene.setSteps([{ minutes: 10, person: bob.id }])
    await scene.fire('i1', 'warning')
    await scene.scene.pass(10)
    await scene.worsen('i1')
    await scene.scene.pass(1)
    await scene.end('i1')
    assert.deepEqual(bob.titles().slice(1), [resolved])
  })

  test(`${kind.name}: a message that quiet hours hold back does not escalate before it is sent, and a closed alert informs nobody`, async () => {
    await using scene = await escalationScene(kind)
    const bob = await scene.addPerson('bob')
    const night = { user: scene.owner.id, type: 'daily', start: '2026-01-01 11:00:00.000Z', end: '2026-01-01 14:00:00.000Z' }
    await scene.scene.insert('quiet_hours', night)
    await scene.setSteps([{ minutes: 10, person: bob.id }])
    await scene.fire('i1')
    await scene.scene.pass(120)
    assert.deepEqual([scene.titles(), bob.titles()], [[fired], []])
    await scene.scene.pass(10)
    assert.deepEqual(bob.titles(), [escalated])
    await scene.end('i1', 'closed')
    await scene.scene.pass(60)
    assert.deepEqual(bob.titles(), [escalated])
  })

  test(`${kind.name}: a step waits while an outage explains the alert`, async () => {
    await using scene = await escalationScene(kind)
    const bob = await scene.addPerson('bob')
    await scene.setSteps([{ minutes: 10, person: bob.id }])
    await scene.fire('i1')
    const { database, engine, insert } = scene.scene
    const status = await insert('alerts', { user: scene.owner.id, system: 'web', name: 'Status', value: 0, min: 1 })
    const firing = { alert: status.id, target: '', phase: 'firing', since: scene.scene.now(), due: null, incident: 'down' }
    await database.write(async (unit) => {
      await engine.store.update(unit, 'systems', 'web', { status: 'down' })
      await unit.sql.insertInto('alert_states').values(firing).execute()
    })
    await scene.scene.pass(10)
    await scene.scene.pass(30)
    assert.deepEqual(bob.titles(), [])
    await database.write(async (unit) => {
      await engine.store.update(unit, 'systems', 'web', { status: 'up' })
      await unit.sql.deleteFrom('alert_states').execute()
    })
    // The alert may end with the outage.
    await scene.scene.pass(2)
    assert.deepEqual(bob.titles(), [escalated])
  })

  test(`${kind.name}: changed steps apply to active alerts, and removed ones are not carried out`, async () => {
    await using scene = await escalationScene(kind)
    const [bob, carol] = [await scene.addPerson('bob'), await scene.addPerson('carol')]
    await scene.setSteps([{ minutes: 60, person: bob.id }])
    for (const incident of ['i1', 'i2']) await scene.fire(incident)
    await scene.acknowledge('i2')
    await scene.scene.pass(10)
    await scene.setSteps([{ minutes: 10, person: bob.id }])
    await scene.scene.settled()
    assert.deepEqual(bob.titles(), [escalated])
    await scene.setSteps([{ minutes: 30, person: carol.id }])
    await scene.scene.settled()
    await scene.scene.pass(19)
    await scene.setSteps([])
    await scene.scene.pass(60)
    assert.deepEqual([bob.titles(), carol.titles()], [[escalated], []])
  })

  test(`${kind.name}: the link of an escalated message belongs to the person who got it, and ends with the access`, async () => {
    await using scene = await escalationScene(kind)
    const [bob, carol] = [await scene.addPerson('bob'), await scene.addPerson('carol')]
    await scene.setSteps([
      { minutes: 5, person: bob.id },
      { minutes: 60, person: carol.id },
    ])
    await scene.fire('i1')
    await scene.scene.pass(5)
    const { engine } = scene.scene
    const { acknowledge } = JSON.parse(bob.messages()[0] ?? '{}') as { readonly acknowledge: string } // the template
    const claims = readLink(engine, acknowledge.split('#')[1] ?? '')
    assert.deepEqual(claims, { id: 'i1', owner: bob.id })
    assert.partialDeepStrictEqual(await loadLinkedIncident(engine, { id: 'i1', owner: bob.id }), { id: 'i1', owner: scene.owner.id })
    assert.equal(await loadLinkedIncident(engine, { id: 'i1', owner: carol.id }), undefined)
    await scene.setViewers([carol.id])
    assert.equal(await loadLinkedIncident(engine, { id: 'i1', owner: bob.id }), undefined)
  })
}
