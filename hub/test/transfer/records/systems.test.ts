import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textOf } from '../../../src/records/model/stored-record.ts'
import { databases } from '../../databases.ts'
import { foreignHub, generationsOn, importScene, lineOf, reasonsOf } from './records-scene.ts'

const ADMIN = 'admin@example.com'
const nobody = `insert into systems (id, name, host, port, status, users) values ('nobodys00000000', 'orphan', 'h1', '1', 'up', '[]')`

for (const kind of databases) {
  for (const generation of generationsOn(kind))
    test(`${kind.name}: systems of ${generation} keep id, address, users and dates, and wait for their agents`, async () => {
      await using scene = await importScene(kind)
      using foreign = foreignHub(generation)
      const plan = await scene.take(foreign)
      const rows = foreign.database.prepare('select * from systems order by id').all()
      const systems = (await scene.all('systems')).toSorted((a, b) => (a.id < b.id ? -1 : 1))
      assert.deepEqual(
        systems.map(({ id, name, host, port, users, created, updated }) => ({ id, name, host, port, users, created, updated })),
        rows.map(({ id, name, host, port, users, created, updated }) => ({
          id,
          name,
          host,
          port,
          users: JSON.parse(String(users)),
          created,
          updated,
        })),
      )
      // Members of `info` that clients expect are added.
      assert.deepEqual(
        systems.map(({ info }) => info),
        rows.map(({ info }) => ({ bb: 0, la: [0, 0, 0], ...JSON.parse(String(info)) })),
      )
      assert.deepEqual(
        systems.map(({ status }) => status),
        rows.map(({ status }) => status),
      )
      assert.deepEqual(
        [...plan.systems].toSorted(),
        rows.map(({ id }) => [id, id]),
      )
      const tokens =
        foreign.database.prepare('select name from sqlite_schema where name = ?').all('fingerprints').length === 0
          ? []
          : foreign.database.prepare('select id, token, fingerprint, system from fingerprints').all()
      assert.deepEqual(
        (await scene.all('fingerprints')).map(({ id, token, fingerprint, system }) => ({ id, token, fingerprint, system })),
        tokens.map((row) => ({ ...row })),
      )
    })

  test(`${kind.name}: a system without users goes to the first admin, and is left out without one`, async () => {
    await using scene = await importScene(kind)
    using foreign = foreignHub('0.18.8-head', nobody, `update users set role = 'user'`)
    const without = await scene.take(foreign)
    assert.equal(reasonsOf(without, 'systems')['it has no users, and no superuser was chosen as an admin'], 1)
    assert.equal(without.systems.has('nobodys00000000'), false)
    const plan = await scene.take(foreign, [ADMIN])
    assert.equal(reasonsOf(plan, 'systems')['it has no users: the first admin gets it'], 1)
    assert.deepEqual((await scene.target.records.load('systems', 'nobodys00000000'))?.['users'], ['jfhgzel966sgj78'])
  })

  test(`${kind.name}: systems with bad values are repaired`, async () => {
    await using scene = await importScene(kind)
    using foreign = foreignHub(
      '0.18.8-head',
      `update systems set port = 'ssh', name = '${'n'.repeat(5100)}' where name = 'system-0'`,
      `update systems set host = 'a b', info = 'no json', status = 'sleeping' where name = 'system-1'`,
      `update systems set users = '["nobody000000000", "jfhgzel966sgj78", 7]', name = '', info = X'00ff' where name = 'ws-system'`,
      `update systems set created = 'yesterday', updated = '2026-11-23 14:37:00.041426797 +0000 UTC' where name = 'system-2'`,
      `insert into systems (id, name, host, users) values ('Bad!', 'bad id', 'h2', 'jfhgzel966sgj78'), ('nousers00000000', 'no user', 'h3', '{}')`,
      `update users set role = 'user'`,
    )
    const plan = await scene.take(foreign)
    assert.deepEqual(
      [lineOf(plan, 'systems').taken, lineOf(plan, 'systems').leftOut],
      [5, [{ reason: 'it has no users, and no superuser was chosen as an admin', count: 1, examples: ['no user'] }]],
    )
    const systems = new Map((await scene.all('systems')).map((one) => [one.id, one]))
    const [first, second, third, fourth] = ['f3kctrf6xf1hxgh', 'bl2cra9wy4068lq', '7ov3oa5jwjy8v9a', '2imzx31c44eia3j'].map(
      (id) => systems.get(id) ?? assert.fail(id),
    )
    assert.deepEqual([first?.['port'], String(first?.['name']).length], ['', 5000])
    assert.deepEqual(
      [second?.['host'], second?.['status'], second?.['info']],
      ['unknown.invalid', 'paused', { u: 0, cpu: 0, mp: 0, dp: 0, v: '', bb: 0, la: [0, 0, 0] }],
    )
    assert.deepEqual([third?.['updated'], typeof third?.['created']], ['2026-11-23 14:37:00.041Z', 'string'])
    assert.deepEqual([fourth?.['name'], fourth?.['users']], ['127.0.0.1', ['jfhgzel966sgj78']])
  })

  test(`${kind.name}: a system whose address or name is here gets a number, one with the same address is paused`, async () => {
    await using scene = await importScene(kind)
    const owner = await scene.insert('users', { email: 'own@example.com', username: 'own', password: 'x', role: 'user', verified: true })
    const own = { users: [owner.id], info: {}, status: 'up' }
    await scene.insert('systems', { ...own, name: 'system-0', host: '127.0.0.1', port: '37351' })
    await scene.insert('systems', { ...own, name: 'system-1', host: '10.0.0.1', port: '' })
    const agent = await scene.insert('systems', { ...own, name: 'agent', host: '10.0.0.2', port: '' })
    await scene.insert('fingerprints', {
      system: agent.id,
      token: '5b7d2c1e-0000-4000-8000-000000019001',
      fingerprint: '8ef4328bb622c00b5fbfe75f7bd35afe4e0b88adacc28b93',
    })
    using foreign = foreignHub('0.18.8-head')
    const plan = await scene.take(foreign)
    const taken = (await scene.all('systems'))
      .filter(({ id }) => plan.systems.has(id))
      .map((one) => `${textOf(one, 'name')} ${textOf(one, 'status')}`)
    assert.deepEqual(taken.toSorted(), ['system-0 (2) paused', 'system-1 (2) down', 'system-2 paused', 'ws-system up'])
    assert.equal(reasonsOf(plan, 'fingerprints')['the agent belongs to a system of this hub and stays with it'], 1)
    assert.equal((await scene.all('fingerprints')).length, 1)
    const again = await scene.plan(foreign)
    assert.deepEqual([lineOf(again, 'systems').present, lineOf(again, 'systems').taken], [4, 0])
    assert.deepEqual([...again.systems], [...plan.systems])
  })

  test(`${kind.name}: rows of systems that are not here, and doubled rows, are left out`, async () => {
    await using scene = await importScene(kind)
    using foreign = foreignHub(
      '0.18.8-head',
      `insert into containers (id, name, system, updated) values ('aaaaaaaaaaaa', 'c', 'gone00000000000', 1), ('bbbbbbbbbbbb', 'd', 'f3kctrf6xf1hxgh', 'now'), ('cccccccccccc', 'e', 'f3kctrf6xf1hxgh', 1795444838838)`,
      `insert into smart_devices (id, system, name, serial, state, temp, capacity, hours) values ('0b1c2d3e', 'f3kctrf6xf1hxgh', 'sda', 'S1', 'PASSED', 'warm', 1e12, 1.6)`,
      `insert into systemd_services (id, name, system, updated) values ('abcdef01', 'ssh.service', 'f3kctrf6xf1hxgh', 1795444838838)`,
      `insert into system_details (id, system, hostname) values ('another00000000', 'f3kctrf6xf1hxgh', 'host-0')`,
      `drop index idx_ngboulGMYw`,
      `insert into fingerprints (id, system, token, fingerprint, updated) values ('aaaaaaaaa', '2imzx31c44eia3j', 'an-older-token', '', '2020-01-01 00:00:00.000Z'), ('bbbbbbbbb', 'gone00000000000', 'a-token-too', '', '')`,
      `insert into universal_tokens (id, user, token, created) values ('aaaaaaaaaa', 'jfhgzel966sgj78', 'universal-token', '2026-01-01 00:00:00Z'), ('bbbbbbbbbb', 'mqdcvigtc891apa', 'universal-token', ''), ('cccccccccc', 'gone00000000000', 'z', '')`,
    )
    const plan = await scene.take(foreign)
    assert.deepEqual(reasonsOf(plan, 'containers'), {
      'its "updated" is invalid': 1,
      'its system is not here': 1,
    })
    assert.deepEqual(reasonsOf(plan, 'fingerprints'), { 'its system has another token already': 1, 'its system is not here': 1 })
    assert.deepEqual(
      (await scene.all('fingerprints')).map(({ id }) => id),
      ['6zoe67qnj'],
    )
    assert.deepEqual(reasonsOf(plan, 'universal tokens'), { 'another user has the same token': 1, 'its user is not here': 1 })
    assert.deepEqual(
      (await scene.all('universal_tokens')).map(({ token }) => token),
      ['universal-token'],
    )
    const [drive] = await scene.all('smart_devices')
    assert.deepEqual([drive?.['capacity'], drive?.['hours'], drive?.['temp']], [1e12, 2, 0])
    assert.equal((await scene.all('systemd_services')).length, 1)
    assert.equal((await scene.all('system_details')).length, 4)
    assert.equal((await scene.all('containers')).length, 2)
  })
}
