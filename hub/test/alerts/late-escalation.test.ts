import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases } from '../databases.ts'
import { escalationScene } from '../escalation-scene.ts'

const fired = 'web CPU above threshold'
const escalated = `Escalated: ${fired}`

for (const kind of databases) {
  test(`${kind.name}: steps that are late keep their distance, and say how long nobody acknowledged`, async () => {
    await using scene = await escalationScene(kind)
    const [bob, carol] = [await scene.addPerson('bob'), await scene.addPerson('carol')]
    await scene.setSteps([
      { minutes: 5, person: bob.id },
      { minutes: 15, person: carol.id },
    ])
    await scene.fire('i1')
    await scene.scene.pass(120)
    assert.deepEqual([bob.titles(), carol.titles()], [[escalated], []])
    assert.match(bob.messages().join(), /Nobody acknowledged the alert for 2 h\./)
    await scene.scene.pass(9)
    assert.deepEqual(carol.titles(), [])
    await scene.scene.pass(1)
    assert.deepEqual(carol.titles(), [escalated])
  })

  test(`${kind.name}: an escalation does not wait in a grouping window, and keeps its link`, async () => {
    await using scene = await escalationScene(kind)
    const bob = await scene.addPerson('bob', { groupMinutes: 60 })
    await scene.setSteps([{ minutes: 5, person: bob.id }])
    await scene.fire('i1')
    await scene.fire('i2')
    await scene.scene.pass(5)
    assert.deepEqual(bob.titles(), [escalated, escalated])
    for (const message of bob.messages()) assert.match(message, /"acknowledge":"https:/)
  })

  test(`${kind.name}: a snooze after an acknowledgement lets the escalation continue`, async () => {
    await using scene = await escalationScene(kind)
    const bob = await scene.addPerson('bob')
    await scene.setSteps([{ minutes: 10, person: bob.id }])
    await scene.fire('i1')
    await scene.scene.pass(2)
    await scene.acknowledge('i1')
    await scene.acknowledge('i1', 60)
    await scene.scene.pass(60)
    assert.deepEqual(bob.titles(), [])
    await scene.scene.pass(8)
    assert.deepEqual(bob.titles(), [escalated])
  })

  test(`${kind.name}: a clock that is set back by a day delays a step by its own minutes at most`, async () => {
    await using scene = await escalationScene(kind)
    const bob = await scene.addPerson('bob')
    await scene.setSteps([{ minutes: 10, person: bob.id }])
    await scene.fire('i1')
    scene.scene.setClock(-24 * 60)
    await scene.scene.pass(1)
    await scene.scene.pass(10)
    assert.deepEqual(bob.titles(), [escalated])
  })

  test(`${kind.name}: an alert that was sent while there were no steps does not escalate by later ones`, async () => {
    await using scene = await escalationScene(kind)
    const bob = await scene.addPerson('bob')
    await scene.setSteps([])
    await scene.fire('i1')
    await scene.scene.pass(60)
    await scene.setSteps([{ minutes: 10, person: bob.id }])
    await scene.scene.settled()
    await scene.scene.pass(10)
    assert.deepEqual(bob.titles(), [])
  })

  test(`${kind.name}: a change to critical that waits in a grouping window stops the steps of the warning`, async () => {
    await using scene = await escalationScene(kind)
    const [bob, carol] = [await scene.addPerson('bob'), await scene.addPerson('carol')]
    await scene.setSteps([
      { minutes: 5, person: bob.id },
      { minutes: 15, person: carol.id },
    ])
    await scene.change(scene.owner.id, { groupMinutes: 30 })
    await scene.fire('i1', 'warning')
    await scene.scene.pass(30)
    await scene.scene.pass(5)
    assert.deepEqual(bob.titles(), ['Escalated: web CPU above warning threshold'])
    await scene.worsen('i1')
    await scene.scene.pass(29)
    assert.deepEqual(carol.titles(), [])
  })

  test(`${kind.name}: an alert that is snoozed before its message is sent escalates after the snooze`, async () => {
    await using scene = await escalationScene(kind)
    const bob = await scene.addPerson('bob')
    await scene.setSteps([{ minutes: 10, person: bob.id }])
    await scene.change(scene.owner.id, { groupMinutes: 60 })
    await scene.fire('i1')
    await scene.acknowledge('i1', 90)
    await scene.scene.pass(60)
    assert.deepEqual(scene.titles(), [fired])
    await scene.scene.pass(30)
    await scene.scene.pass(9)
    assert.deepEqual(bob.titles(), [])
    await scene.scene.pass(1)
    assert.deepEqual(bob.titles(), [escalated])
  })

  test(`${kind.name}: edited steps wait for the message that a warning became critical`, async () => {
    await using scene = await escalationScene(kind)
    const [bob, carol] = [await scene.addPerson('bob'), await scene.addPerson('carol')]
    await scene.setSteps([{ minutes: 5, person: bob.id }])
    await scene.fire('i1', 'warning')
    await scene.scene.pass(5)
    await scene.change(scene.owner.id, { groupMinutes: 30 })
    await scene.worsen('i1')
    await scene.setSteps([
      { minutes: 3, person: bob.id },
      { minutes: 6, person: carol.id },
    ])
    await scene.scene.settled()
    await scene.scene.pass(10)
    assert.deepEqual([bob.titles().length, carol.titles()], [1, []])
    await scene.scene.pass(20)
    await scene.scene.pass(6)
    await scene.scene.pass(3)
    assert.deepEqual(carol.titles(), ['Escalated: web CPU above critical threshold'])
  })
}
