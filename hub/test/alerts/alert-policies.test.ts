import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '@vedette/protocol/wire/stats-json'
import type { RecordValues } from '../../src/records/model/record-store.ts'
import { listNoisy } from '../../src/alerts/incidents/incident-list.ts'
import { removeUserAlerts, setUserAlerts } from '../../src/alerts/rules/user-alerts.ts'
import { createRecord } from '../../src/records/writing/write.ts'
import { tagFields, type SourcedTag } from '../../src/records/model/tag.ts'
import { alertScene, type AlertScene } from '../alert-scene.ts'
import { assertAlertsAgree } from '../alert-agreement.ts'
import { databases } from '../databases.ts'

const cpu = (busyPercent: number) => ({ cpu: { busyPercent } })
const transitions = async (scene: AlertScene) => (await scene.notices()).map(({ transition, body }) => [transition, body['threshold']])
const stored = async (scene: AlertScene) =>
  (await scene.engine.store.loadWhere('alerts', {})).map(({ name, value, min, inherited, triggered }) => ({
    name,
    value,
    min,
    inherited,
    triggered,
  }))

/** Creates a policy as its owner through the API. */
function setPolicy(scene: AlertScene, values: RecordValues, body: RecordValues = {}) {
  const collection = scene.engine.collections.find('alert_policies')
  if (collection === undefined) throw new RangeError('There is no collection of policies')
  const facts = { actor: scene.owner, context: 'default', method: 'POST', query: {}, headers: {} } as const
  return createRecord(scene.engine, collection, { ...facts, body: { user: scene.owner.id, name: 'CPU', ...body, values } })
}

const setTags = (scene: AlertScene, tags: readonly SourcedTag[]) =>
  scene.engine.database.write((unit) => scene.engine.store.update(unit, 'systems', scene.system.id, tagFields(tags)))

for (const kind of databases) {
  test(`${kind.name}: an alert of a policy resolves at its own lower threshold, also after a restart and an edit`, async () => {
    await using scene = await alertScene(kind)
    const policy = await setPolicy(scene, { threshold: 80, minutes: 1, clear: 60 })
    await scene.measure(cpu(90))
    await scene.measure(cpu(70))
    await scene.restart()
    await scene.measure(cpu(61))
    assert.deepEqual(await transitions(scene), [['fired', 80]])
    await scene.change('alert_policies', policy.id, { values: { threshold: 80, minutes: 1, clear: 50 } })
    await scene.measure(cpu(55))
    assert.deepEqual(await transitions(scene), [['fired', 80]])
    await scene.measure(cpu(50))
    assert.deepEqual(await transitions(scene), [
      ['fired', 80],
      ['resolved', 80],
    ])
    await scene.measure(cpu(70))
    assert.deepEqual(await stored(scene), [])
    const errors = async (clear: Json) => assert.rejects(setPolicy(scene, { clear }, { target: '' }), /Failed to create/)
    for (const clear of [0, -1, '60', Number.MAX_VALUE * 2]) await errors(clear)
  })

  test(`${kind.name}: the list of noisy alerts names the target of a policy's alert that is over`, async () => {
    await using scene = await alertScene(kind)
    await setPolicy(scene, { threshold: 80, minutes: 1 }, { name: 'Filesystem', target: 'data' })
    for (const usedPercent of [90, 10, 90, 10]) await scene.measure({ extraDisks: { data: { usedPercent } } })
    assert.deepEqual(await stored(scene), [])
    const facts = { actor: scene.owner, context: 'default', method: 'GET', query: {}, headers: {} } as const
    const noisy = await listNoisy(scene.engine, { owner: scene.owner.id, facts }, { sinceMs: 0, most: 9 })
    assert.deepEqual(
      noisy.map(({ name, target, count }) => [name, target, count]),
      [['Filesystem', 'data', 2]],
    )
  })

  test(`${kind.name}: a policy on everything fires and resolves on each system, also on one that is new`, async () => {
    await using scene = await alertScene(kind)
    await setPolicy(scene, { threshold: 80, minutes: 1 })
    await scene.measure(cpu(70))
    assert.deepEqual(await stored(scene), [])
    await scene.measure(cpu(90))
    assert.deepEqual(await stored(scene), [{ name: 'CPU', value: 80, min: 1, inherited: true, triggered: true }])
    await scene.restart()
    await scene.measure(cpu(95))
    await scene.measure(cpu(50))
    assert.deepEqual(await stored(scene), [])
    assert.deepEqual(await transitions(scene), [
      ['fired', 80],
      ['resolved', 80],
    ])
    const other = await scene.insert('systems', { name: 'db', status: 'up', host: 'db', users: [scene.owner.id], info: {} })
    await scene.measureOn(other.id, cpu(99))
    assert.deepEqual(
      (await scene.notices()).map(({ system, transition }) => [system === other.id, transition]),
      [
        [false, 'fired'],
        [false, 'resolved'],
        [true, 'fired'],
      ],
    )
    await assertAlertsAgree(scene.engine)
  })

  test(`${kind.name}: the nearest policy wins for each value, and only a trusted tag counts`, async () => {
    await using scene = await alertScene(kind)
    await setPolicy(scene, { threshold: 80, minutes: 3 })
    await setPolicy(scene, { threshold: 60 }, { tag: 'env=prod' })
    await setPolicy(scene, { minutes: 1 }, { system: scene.system.id })
    await setTags(scene, [{ tag: 'env=prod', sources: ['agent'] }])
    await scene.measure(cpu(70))
    assert.deepEqual(await stored(scene), [])
    await setTags(scene, [{ tag: 'env=prod', sources: ['agent', 'admin'] }])
    await scene.measure(cpu(70))
    assert.deepEqual(await stored(scene), [{ name: 'CPU', value: 60, min: 1, inherited: true, triggered: true }])
    // Without its tag the system has the threshold of everything. The first sample brings the alert up to date, the next one ends it.
    await setTags(scene, [])
    await scene.measure(cpu(70))
    await scene.measure(cpu(70))
    assert.deepEqual(await transitions(scene), [
      ['fired', 60],
      ['resolved', 80],
    ])
    await assertAlertsAgree(scene.engine)
  })

  test(`${kind.name}: a policy that is deleted or turned off ends its alerts without a message`, async () => {
    await using scene = await alertScene(kind)
    const policy = await setPolicy(scene, { threshold: 80, minutes: 1 })
    await scene.measure(cpu(90))
    await setPolicy(scene, { off: true }, { system: scene.system.id })
    assert.deepEqual(await stored(scene), [])
    await scene.measure(cpu(90))
    const [off] = await scene.engine.store.loadWhere('alert_policies', { system: scene.system.id })
    await scene.remove('alert_policies', off?.id ?? '')
    await scene.measure(cpu(90))
    await scene.remove('alert_policies', policy.id)
    assert.deepEqual(await stored(scene), [])
    await scene.measure(cpu(95))
    assert.deepEqual(await transitions(scene), [
      ['fired', 80],
      ['fired', 80],
    ])
    assert.deepEqual(
      (await scene.incidents()).map(({ ending }) => ending),
      ['closed', 'closed'],
    )
  })

  test(`${kind.name}: a user's own alert on a system is nearer than all policies`, async () => {
    await using scene = await alertScene(kind)
    await setPolicy(scene, { threshold: 80, minutes: 1 })
    await scene.measure(cpu(90))
    const [inherited] = await scene.engine.store.loadWhere('alerts', {})
    // An older client changes the alert that it sees: the alert becomes the user's own.
    await scene.change('alerts', inherited?.id ?? '', { value: 95 })
    await scene.measure(cpu(90))
    assert.deepEqual(await stored(scene), [{ name: 'CPU', value: 95, min: 1, inherited: false, triggered: false }])
    // And deletes it: the policy decides again.
    await scene.remove('alerts', inherited?.id ?? '')
    await scene.measure(cpu(90))
    assert.deepEqual(await transitions(scene), [
      ['fired', 80],
      ['resolved', 95],
      ['fired', 80],
    ])
    // A client that deletes an inherited alert does not get it again.
    const [again] = await scene.engine.store.loadWhere('alerts', {})
    await scene.remove('alerts', again?.id ?? '')
    await scene.measure(cpu(90))
    assert.deepEqual(await stored(scene), [])
    await assertAlertsAgree(scene.engine)
  })

  test(`${kind.name}: an alert that is set or deleted for several systems is nearer than the policies there`, async () => {
    await using scene = await alertScene(kind)
    const facts = { actor: scene.owner, context: 'default', method: 'POST', query: {}, headers: {} } as const
    await setPolicy(scene, { threshold: 80, minutes: 1 })
    await scene.measure(cpu(90))
    const systems = [scene.system.id]
    await setUserAlerts(scene.engine, facts, scene.owner, { name: 'CPU', value: 95, min: 1, systems })
    assert.deepEqual(await stored(scene), [{ name: 'CPU', value: 95, min: 1, inherited: false, triggered: true }])
    assert.equal(await removeUserAlerts(scene.engine, facts, scene.owner, { name: 'CPU', systems }), 1)
    await scene.measure(cpu(99))
    assert.deepEqual(await stored(scene), [])
    // Without a stored alert and without a policy there is nothing to turn off.
    assert.equal(await removeUserAlerts(scene.engine, facts, scene.owner, { name: 'Memory', systems }), 0)
    const policies = await scene.engine.store.loadWhere('alert_policies', {})
    assert.deepEqual(
      policies.map(({ name, system, values }) => [name, system, values]),
      [
        ['CPU', '', { threshold: 80, minutes: 1 }],
        ['CPU', scene.system.id, { off: true }],
      ],
    )
    await assertAlertsAgree(scene.engine)
  })

  test(`${kind.name}: an own alert that fires continues as the alert of a policy with two thresholds, with its incident`, async () => {
    await using scene = await alertScene(kind)
    const facts = { actor: scene.owner, context: 'default', method: 'DELETE', query: {}, headers: {} } as const
    const inherit = (name: string) =>
      removeUserAlerts(scene.engine, facts, scene.owner, { name, systems: [scene.system.id], inherit: true })
    for (const name of ['CPU', 'Memory'])
      await setUserAlerts(scene.engine, facts, scene.owner, { name, value: 80, min: 1, systems: [scene.system.id] })
    await scene.measure(cpu(95))
    for (const name of ['CPU', 'Memory'])
      await setPolicy(scene, { threshold: 90, minutes: 1, warning: 70 }, { name, system: scene.system.id })
    assert.deepEqual([await inherit('CPU'), await inherit('Memory')], [1, 1])
    assert.deepEqual(await stored(scene), [{ name: 'CPU', value: 90, min: 1, inherited: true, triggered: true }])
    await assertAlertsAgree(scene.engine)
    // An alert that a policy sets already stays, and its policy stays on.
    assert.equal(await inherit('CPU'), 0)
    await scene.restart()
    await scene.measure(cpu(75))
    assert.deepEqual(await transitions(scene), [['fired', 80]])
    await scene.measure(cpu(60))
    assert.deepEqual(await stored(scene), [])
    await scene.measure({ ...cpu(75), memory: { usedPercent: 75, totalBytes: 4, usedBytes: 3 } })
    assert.deepEqual(await transitions(scene), [
      ['fired', 80],
      ['resolved', 70],
      ['fired', 70],
      ['fired', 70],
    ])
    assert.deepEqual(
      (await scene.incidents()).map(({ ending }) => ending),
      ['resolved', '', ''],
    )
    await assertAlertsAgree(scene.engine)
  })

  test(`${kind.name}: an own alert that continues as the alert of a policy uses the stored values of the policy's minutes`, async () => {
    await using scene = await alertScene(kind)
    const facts = { actor: scene.owner, context: 'default', method: 'DELETE', query: {}, headers: {} } as const
    const systems = [scene.system.id]
    await setUserAlerts(scene.engine, facts, scene.owner, { name: 'CPU', value: 80, min: 1, systems })
    const [own] = await scene.engine.store.loadWhere('alerts', {})
    await scene.change('alerts', own?.id ?? '', { severity: 'warning' })
    for (let minute = 0; minute < 11; minute++) await scene.measure(cpu(95))
    await setPolicy(scene, { threshold: 90, minutes: 10, warning: 70, warningMinutes: 1 }, { system: scene.system.id })
    await scene.measure(cpu(95))
    await removeUserAlerts(scene.engine, facts, scene.owner, { name: 'CPU', systems, inherit: true })
    await scene.measure(cpu(95))
    assert.deepEqual(await transitions(scene), [
      ['fired', 80],
      ['worse', 90],
    ])
  })

  test(`${kind.name}: an own alert that is removed for policies ends where none of them sets it`, async () => {
    await using scene = await alertScene(kind)
    const facts = { actor: scene.owner, context: 'default', method: 'DELETE', query: {}, headers: {} } as const
    const systems = [scene.system.id]
    await setUserAlerts(scene.engine, facts, scene.owner, { name: 'CPU', value: 80, min: 1, systems })
    await scene.measure(cpu(95))
    await setPolicy(scene, { off: true, threshold: 90 }, { system: scene.system.id })
    await assert.rejects(removeUserAlerts(scene.engine, facts, scene.owner, { name: 'CPU', systems, inherit: 'yes' }), /Bad data/)
    assert.equal(await removeUserAlerts(scene.engine, facts, scene.owner, { name: 'CPU', systems, inherit: true }), 1)
    assert.deepEqual(await stored(scene), [])
    assert.deepEqual(
      (await scene.incidents()).map(({ ending }) => ending),
      ['closed'],
    )
    await scene.measure(cpu(95))
    assert.deepEqual(await transitions(scene), [['fired', 80]])
    await assertAlertsAgree(scene.engine)
  })

  test(`${kind.name}: a client creates its own alert in the place of one that a policy set`, async () => {
    await using scene = await alertScene(kind)
    await setPolicy(scene, { threshold: 80, minutes: 1 })
    await scene.measure(cpu(90))
    const collection = scene.engine.collections.find('alerts')
    assert.ok(collection)
    const body = { user: scene.owner.id, system: scene.system.id, name: 'CPU', value: 85, min: 1 }
    await createRecord(scene.engine, collection, { actor: scene.owner, context: 'default', method: 'POST', query: {}, headers: {}, body })
    await scene.measure(cpu(82))
    assert.deepEqual(await stored(scene), [{ name: 'CPU', value: 85, min: 1, inherited: false, triggered: false }])
    await assertAlertsAgree(scene.engine)
  })

  test(`${kind.name}: a policy does nothing on systems that its owner may not view, and ends when access ends`, async () => {
    await using scene = await alertScene(kind)
    const other = await scene.insert('users', { email: 'o@example.com', username: 'other', role: 'user', verified: true, password: 'none' })
    await setPolicy(scene, { threshold: 80, minutes: 1 })
    const members = (users: readonly string[]) =>
      scene.engine.database.write((unit) => scene.engine.store.update(unit, 'systems', scene.system.id, { users }))
    await members([other.id])
    await scene.measure(cpu(90))
    assert.deepEqual(await transitions(scene), [])
    await members([other.id, scene.owner.id])
    await scene.measure(cpu(90))
    await members([other.id])
    await scene.measure(cpu(90))
    await scene.measure(cpu(10))
    assert.deepEqual(await transitions(scene), [['fired', 80]])
    assert.deepEqual(await stored(scene), [])
  })

  test(`${kind.name}: a policy for systems that are down fires after its minutes, also after a restart`, async () => {
    await using scene = await alertScene(kind)
    await setPolicy(scene, { minutes: 2 }, { name: 'Status' })
    await scene.measure(cpu(1))
    await scene.goDown()
    await scene.restart()
    scene.pass(2)
    await scene.decideDue()
    assert.deepEqual(await transitions(scene), [['fired', undefined]])
    await scene.measure(cpu(1))
    assert.deepEqual(await transitions(scene), [
      ['fired', undefined],
      ['resolved', undefined],
    ])
    assert.deepEqual(await stored(scene), [])
    await assertAlertsAgree(scene.engine)
  })

  test(`${kind.name}: wrong policies are refused with the field that is wrong`, async () => {
    await using scene = await alertScene(kind)
    const refused = async (values: RecordValues, body: RecordValues, field: string) =>
      assert.rejects(setPolicy(scene, values, body), (error: { readonly data?: object }) => Object.keys(error.data ?? {}).includes(field))
    await refused({ threshold: 101 }, {}, 'values')
    await refused({ threshold: '80' }, {}, 'values')
    await refused({ minutes: 0 }, {}, 'values')
    await refused({ minutes: 61 }, {}, 'values')
    await refused({ unknown: 1 }, {}, 'values')
    await refused({}, { name: 'Container' }, 'target')
    await refused({}, { tag: 'a', system: scene.system.id }, 'system')
    await refused({}, { name: 'Nothing' }, 'name')
    await setPolicy(scene, {})
    await refused({}, {}, 'user')
  })
}
