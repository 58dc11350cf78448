import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deriveGrantedTags } from '../../src/accounts/granted-tags.ts'
import { tagFields, type SourcedTag } from '../../src/records/model/tag.ts'
import { alertScene } from '../alert-scene.ts'
import { databases } from '../databases.ts'

const cpu = (busyPercent: number) => ({ cpu: { busyPercent } })

for (const kind of databases)
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
