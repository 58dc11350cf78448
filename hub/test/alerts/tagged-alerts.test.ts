import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { deriveGrantedTags } from '../../src/accounts/groups/granted-tags.ts'
import { tagFields, type SourcedTag } from '../../src/records/model/tag.ts'
import { alertScene } from '../alert-scene.ts'
import { databases } from '../databases.ts'

const cpu = (busyPercent: number) => ({ cpu: { busyPercent } })

for (const kind of databases) {
  test(`${kind.name}: alerts work for users who see the system by a trusted tag, and end without a message when the tag is removed`, async () => {
    await using scene = await alertScene(kind)
    const { database, store } = scene.engine
    const other = await scene.insert('users', { email: 'o@example.com', username: 'other', role: 'user', verified: true, password: 'none' })
    await database.write(async (unit) => {
      await store.update(unit, 'systems', scene.system.id, { users: [other.id] })
      await store.insert(unit, 'tag_access', { tag: 'env=prod', user: scene.owner.id, may: 'view' })
      await deriveGrantedTags({ unit, store }, [scene.owner.id])
    })
    const setTags = (sources: SourcedTag['sources']) =>
      database.write((unit) => store.update(unit, 'systems', scene.system.id, tagFields([{ tag: 'env=prod', sources }])))
    const transitions = async () => (await scene.notices()).map(({ owner, transition }) => [owner, transition])
    const alert = await scene.addAlert({ name: 'CPU', value: 80, min: 1 })

    await setTags(['agent'])
    await scene.measure(cpu(90))
    assert.deepEqual([await transitions(), await scene.isTriggered(alert)], [[], false])

    await setTags(['admin', 'agent'])
    await scene.measure(cpu(10))
    await scene.measure(cpu(90))
    assert.deepEqual([await transitions(), await scene.isTriggered(alert)], [[[scene.owner.id, 'fired']], true])

    await setTags(['agent'])
    await scene.measure(cpu(10))
    await scene.measure(cpu(90))
    assert.deepEqual([await transitions(), await scene.isTriggered(alert)], [[[scene.owner.id, 'fired']], false])
  })

  test(`${kind.name}: a drive that gets worse is notified to users and members of groups who see the system by a trusted tag`, async () => {
    await using scene = await alertScene(kind)
    const { database, store } = scene.engine
    const person = (name: string, role = 'user') =>
      scene.insert('users', { email: `${name}@example.com`, username: name, role, verified: true, password: 'none' })
    const [byTag, byGroup, byBoth] = [await person('bytag'), await person('bygroup', 'readonly'), await person('byboth', 'admin')]
    await person('stranger')
    await person('boss', 'admin')
    await database.write(async (unit) => {
      await store.update(unit, 'systems', scene.system.id, { users: [scene.owner.id, byBoth.id] })
      const group = await store.insert(unit, 'groups', { name: 'ops', members: [byGroup.id, byBoth.id] })
      await store.insert(unit, 'tag_access', { tag: 'env=prod', user: byTag.id, may: 'view' })
      await store.insert(unit, 'tag_access', { tag: 'env=prod', group: group.id, may: 'change' })
      await deriveGrantedTags({ unit, store }, [byTag.id, byGroup.id, byBoth.id])
    })
    const setTags = (sources: SourcedTag['sources']) =>
      database.write((unit) => store.update(unit, 'systems', scene.system.id, tagFields([{ tag: 'env=prod', sources }])))
    const drive = (status: 'PASSED' | 'WARNING' | 'FAILED') => scene.readDrives([{ id: 'a', device: '/dev/a', model: 'Model', status }])
    const owners = async (from = 0) =>
      (await scene.notices())
        .slice(from)
        .map(({ owner }) => owner)
        .toSorted()

    await setTags(['agent'])
    await drive('PASSED')
    await drive('WARNING')
    const members = [scene.owner.id, byBoth.id].toSorted()
    assert.deepEqual(await owners(), members)

    await setTags(['admin'])
    await drive('FAILED')
    assert.deepEqual(await owners(2), [...members, byTag.id, byGroup.id].toSorted())
  })

  test(`${kind.name}: an account that cannot be read does not prevent the notices about drives to other people`, async () => {
    await using scene = await alertScene(kind)
    const damaged = await scene.insert('users', {
      email: 'd@example.com',
      username: 'damaged',
      role: 'user',
      verified: true,
      password: 'none',
    })
    await scene.engine.database.write((unit) => sql`update users set "tokenKey" = 'v1.damaged' where id = ${damaged.id}`.execute(unit.sql))
    for (const status of ['PASSED', 'FAILED'] as const) await scene.readDrives([{ id: 'a', device: '/dev/a', model: 'Model', status }])
    assert.deepEqual(
      (await scene.notices()).map(({ owner }) => owner),
      [scene.owner.id],
    )
  })
}
