import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ContainerSample, ServiceSample } from '@vedette/protocol/metrics/sample'
import { listNoisy } from '../../src/alerts/incidents/incident-list.ts'
import { assertAlertsAgree } from '../alert-agreement.ts'
import { alertScene, type AlertScene } from '../alert-scene.ts'
import { databases } from '../databases.ts'

const container = (name: string, more: Partial<ContainerSample> = {}): ContainerSample => ({
  name,
  id: 'c0ffee000000',
  cpuPercent: 1,
  memoryBytes: 1_048_576,
  status: 'Up 2 days',
  ...more,
})
const service = (name: string, state: ServiceSample['state']): ServiceSample => ({ name, state, subState: 'other' })
const runs = (...names: readonly string[]) => ({ containers: names.map((name) => container(name)) })

/** The notices in order, each as `target transition`, with the reason or value after `fired`. */
const said = async (scene: AlertScene) =>
  (await scene.notices())
    .toSorted((a, b) => a.at - b.at || (String(a.body['target']) < String(b.body['target']) ? -1 : 1))
    .map(({ transition, body }) =>
      [body['target'], transition, ...(transition === 'fired' ? [body['reason'] ?? body['value']] : [])].join(' '),
    )

async function measureFor(scene: AlertScene, minutes: number, sample: Parameters<AlertScene['measure']>[0]): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) await scene.measure(sample)
}

for (const kind of databases) {
  test(`${kind.name}: an alert on one filesystem, interface or container checks only this target`, async () => {
    await using scene = await alertScene(kind)
    const levels = [
      { name: 'Filesystem', target: 'data', value: 80 },
      { name: 'Interface', target: 'eth0', value: 10 },
      { name: 'ContainerCPU', target: 'web-1', value: 50 },
      { name: 'ContainerMemory', target: 'web-1', value: 100 },
    ]
    for (const level of levels) await scene.addAlert({ ...level, min: 1 })
    const traffic = (bytes: number) => ({
      sentBytesPerSecond: bytes,
      receivedBytesPerSecond: bytes,
      sentBytesTotal: 1,
      receivedBytesTotal: 1,
    })
    await scene.measure({
      rootDisk: { usedPercent: 99 },
      extraDisks: { data: { usedPercent: 50 }, photos: { usedPercent: 99 } },
      network: { interfaces: { eth0: traffic(1), eth1: traffic(1e9) } },
      containers: [container('web-1'), container('db', { cpuPercent: 99, memoryBytes: 2e9 })],
    })
    assert.deepEqual(await said(scene), [])
    await scene.measure({
      extraDisks: { data: { usedPercent: 81 } },
      network: { interfaces: { eth0: traffic(10 * 1_048_576) } },
      // Recreated under the older spelling of the same name.
      containers: [container('web_1', { cpuPercent: 60, memoryBytes: 200 * 1_048_576 })],
    })
    const facts = { actor: scene.owner, context: 'default', method: 'GET', query: {}, headers: {} } as const
    const noisy = await listNoisy(scene.engine, { owner: scene.owner.id, facts }, { sinceMs: 0, most: 9 })
    assert.deepEqual(
      noisy.map(({ name, target, count }) => [name, target, count]),
      [
        ['ContainerCPU', 'web-1', 1],
        ['ContainerMemory', 'web-1', 1],
        ['Filesystem', 'data', 1],
        ['Interface', 'eth0', 1],
      ],
    )
    assert.deepEqual((await said(scene)).toSorted(), ['data fired 81', 'eth0 fired 20', 'web-1 fired 200', 'web-1 fired 60'])
    await assertAlertsAgree(scene.engine)
  })

  test(`${kind.name}: an alert on one container averages its history, also after a restart`, async () => {
    await using scene = await alertScene(kind)
    const alert = await scene.addAlert({ name: 'ContainerCPU', target: 'web', value: 50, min: 5 })
    for (const cpuPercent of [1, 60, 60, 60, 60]) await scene.measure({ containers: [container('web', { cpuPercent })] })
    await scene.restart()
    assert.equal(await scene.isTriggered(alert), false)
    await scene.measure({ containers: [container('web', { cpuPercent: 60 })] })
    assert.equal(await scene.isTriggered(alert), true)
  })

  test(`${kind.name}: a stopped container fires an alert after its minutes, also across a hub restart`, async () => {
    await using scene = await alertScene(kind)
    const alert = await scene.addAlert({ name: 'Container', target: 'shop-web-1', min: 3 })
    await scene.measure(runs('shop-web-1', 'db'))
    await measureFor(scene, 2, runs('db'))
    // Back before the time is over, under another name.
    await measureFor(scene, 2, runs('shop_web_1', 'db'))
    await measureFor(scene, 3, runs('db'))
    // An engine that does not respond changes no alert.
    await scene.measure({})
    assert.deepEqual(await said(scene), [])
    await scene.restart()
    await scene.measure(runs('db'))
    assert.deepEqual(await said(scene), ['shop-web-1 fired stopped'])
    await measureFor(scene, 2, runs('db'))
    await scene.measure(runs('shop-web-1', 'db'))
    assert.equal(await scene.isTriggered(alert), false)
    assert.deepEqual(await said(scene), ['shop-web-1 fired stopped', 'shop-web-1 resolved'])
    await assertAlertsAgree(scene.engine)
  })

  test(`${kind.name}: a container that restarts repeatedly or is unhealthy fires an alert`, async () => {
    await using scene = await alertScene(kind)
    await scene.addAlert({ name: 'Container', target: 'web', min: 1 })
    for (const restarts of [7, 8, 9, 10, 11]) await scene.measure({ containers: [container('web', { restarts })] })
    assert.deepEqual(await said(scene), ['web fired restarting'])
    await measureFor(scene, 12, { containers: [container('web', { restarts: 11 })] })
    await measureFor(scene, 2, { containers: [container('web', { restarts: 11, health: 'unhealthy' })] })
    assert.deepEqual(await said(scene), ['web fired restarting', 'web resolved', 'web fired unhealthy'])
  })

  test(`${kind.name}: each unhealthy container fires one alert, but a starting container none`, async () => {
    await using scene = await alertScene(kind)
    const alert = await scene.addAlert({ name: 'ContainerHealth', min: 0 })
    const health = (web: ContainerSample['health'], db: ContainerSample['health']) => ({
      containers: [container('web', { ...(web && { health: web }) }), container('db', { ...(db && { health: db }) }), container('plain')],
    })
    await scene.measure(health('starting', 'healthy'))
    await scene.measure(health('unhealthy', 'healthy'))
    await scene.measure(health('unhealthy', 'unhealthy'))
    await scene.measure(health('starting', 'healthy'))
    assert.equal(await scene.isTriggered(alert), true)
    await scene.measure(health('healthy', 'healthy'))
    assert.equal(await scene.isTriggered(alert), false)
    assert.deepEqual(await said(scene), ['web fired unhealthy', 'db fired unhealthy', 'db resolved', 'web resolved'])
    // It was unhealthy when it was removed. The alert resolves once it is really gone.
    await scene.measure(health('unhealthy', 'healthy'))
    await scene.measure(runs('db'))
    assert.equal(await scene.isTriggered(alert), true)
    await measureFor(scene, 2, runs('db'))
    assert.equal(await scene.isTriggered(alert), false)
    await assertAlertsAgree(scene.engine)
  })

  test(`${kind.name}: the alert on all containers fires for stopped containers that ran for a day, not for jobs or systems that are down`, async () => {
    await using scene = await alertScene(kind)
    // The containers are known from the history, since the alert is younger.
    for (let minute = 0; minute < 25 * 60; minute += 10) {
      scene.pass(9)
      await scene.measure(runs('web', 'db', ...(minute % 120 === 0 ? ['nightly'] : [])))
    }
    const alert = await scene.addAlert({ name: 'ContainerStopped', min: 5 })
    await measureFor(scene, 2, runs('web', 'db', 'nightly', 'new'))
    await scene.goDown()
    scene.pass(60)
    await scene.decideDue()
    assert.deepEqual(await said(scene), [])
    await measureFor(scene, 5, { containers: [] })
    assert.deepEqual(await said(scene), [])
    await scene.restart()
    await scene.measure({ containers: [] })
    assert.deepEqual(await said(scene), ['db fired stopped', 'web fired stopped'])
    await scene.measure(runs('web'))
    assert.equal(await scene.isTriggered(alert), true)
    await assertAlertsAgree(scene.engine)
    await scene.measure(runs('web', 'db'))
    assert.equal(await scene.isTriggered(alert), false)
    await assertAlertsAgree(scene.engine)
  })

  test(`${kind.name}: an alert on a container that was removed for good ends after a time`, async () => {
    await using scene = await alertScene(kind)
    const alert = await scene.addAlert({ name: 'ContainerStopped', min: 1 })
    for (let hour = 0; hour < 26; hour++) {
      scene.pass(59)
      await scene.measure(runs('web', 'old'))
    }
    await measureFor(scene, 2, runs('web'))
    assert.deepEqual(await said(scene), ['old fired stopped'])
    scene.pass(7 * 24 * 60)
    await measureFor(scene, 3, runs('web'))
    assert.deepEqual([await said(scene), await scene.isTriggered(alert)], [['old fired stopped'], false])
    await assertAlertsAgree(scene.engine)
  })

  test(`${kind.name}: failed services fire alerts, each alone if configured; a sample without services changes nothing`, async () => {
    await using scene = await alertScene(kind)
    const any = await scene.addAlert({ name: 'SystemdFailed', value: 0, min: 0 })
    const one = await scene.addAlert({ name: 'Service', target: 'nginx.service', min: 1 })
    await scene.measure({ services: [service('nginx.service', 'active'), service('cron.service', 'failed')] })
    assert.deepEqual([await scene.isTriggered(any), await scene.isTriggered(one)], [true, false])
    await scene.measure({ services: [] })
    await scene.measure({})
    await scene.measure({ services: [service('nginx.service', 'activating'), service('cron.service', 'active')] })
    await scene.measure({ services: [service('nginx.service', 'inactive'), service('cron.service', 'active')] })
    assert.deepEqual([await scene.isTriggered(any), await scene.isTriggered(one)], [false, true])
    await scene.measure({ services: [service('nginx.service', 'active')] })
    assert.deepEqual(await said(scene), [
      'cron.service fired failed',
      'cron.service resolved',
      'nginx.service fired inactive',
      'nginx.service resolved',
    ])
    await assertAlertsAgree(scene.engine)
  })

  test(`${kind.name}: a pause, an edit and a deletion of a container alert end all its incidents`, async () => {
    await using scene = await alertScene(kind)
    const alert = await scene.addAlert({ name: 'ContainerHealth', min: 1 })
    const unwell = { containers: ['web', 'db'].map((name) => container(name, { health: 'unhealthy' })) }
    await scene.measure(unwell)
    await scene.change('systems', scene.system.id, { status: 'paused' })
    await assertAlertsAgree(scene.engine)
    assert.equal(await scene.isTriggered(alert), false)
    await scene.change('systems', scene.system.id, { status: 'pending' })
    await scene.measure(unwell)
    assert.equal(await scene.isTriggered(alert), true)
    await scene.change('alerts', alert.id, { min: 30 })
    await assertAlertsAgree(scene.engine)
    await scene.remove('alerts', alert.id)
    await assertAlertsAgree(scene.engine)
    assert.equal((await scene.notices()).length, 4)
  })
}
