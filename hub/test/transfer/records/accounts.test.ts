import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyPassword } from '../../../src/accounts/passwords/password.ts'
import { isAdmin, textOf } from '../../../src/records/model/stored-record.ts'
import { databases } from '../../databases.ts'
import { foreignHub, generationsOn, importScene, lineOf, PASSWORD, reasonsOf } from './records-scene.ts'

const ADMIN = 'admin@example.com'
const BCRYPT = '$2a$10$7JY3tMzQy2Le5DN2syVHx.Lha9ci2M2fMqfBuphYeGaGrVo9viAXW'
const user = (id: string, values: Readonly<Record<string, string | number>>) => {
  const all = {
    id,
    email: `${id}@example.com`,
    password: BCRYPT,
    tokenKey: `key-${id}-000000000000000000000000000`,
    username: id,
    role: 'user',
    verified: 1,
    ...values,
  }
  return `insert into users (${Object.keys(all).join(', ')}) values (${Object.values(all)
    .map((value) => (typeof value === 'number' ? value : `'${value}'`))
    .join(', ')})`
}

for (const kind of databases) {
  for (const generation of generationsOn(kind)) {
    test(`${kind.name}: accounts of ${generation}: users keep their roles, and without a choice nobody else becomes an admin`, async () => {
      await using scene = await importScene(kind)
      using foreign = foreignHub(generation)
      const plan = await scene.take(foreign)
      const people = await scene.all('users')
      assert.deepEqual(people.map((one) => [one['email'], one['role']]).toSorted(), [
        [ADMIN, 'admin'],
        ['bea@example.com', 'user'],
        ['cem@example.com', 'readonly'],
      ])
      assert.deepEqual(lineOf(plan, 'superusers').leftOut, [{ reason: 'not chosen as an admin', count: 1, examples: [ADMIN] }])
      assert.equal(reasonsOf(plan, 'users')['stays an admin, and manages all systems and accounts here'], 1)
    })

    test(`${kind.name}: accounts of ${generation} keep id, password, token key and dates`, async () => {
      await using scene = await importScene(kind)
      using foreign = foreignHub(generation)
      await scene.take(foreign, [' Admin@example.com'])
      const people = await scene.all('users')
      const rows = foreign.database.prepare('select * from users order by id').all()
      const fields = ['id', 'email', 'username', 'name', 'password', 'tokenKey', 'created', 'updated']
      const chosen = (row: object) => Object.fromEntries(fields.map((field) => [field, Reflect.get(row, field)]))
      assert.deepEqual(people.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(chosen), rows.map(chosen))
      assert.deepEqual(
        people.filter(isAdmin).map(({ email }) => email),
        [ADMIN],
      )
      assert.equal(await verifyPassword(PASSWORD, textOf(people[0] ?? assert.fail(), 'password')), true)
    })
  }

  test(`${kind.name}: a chosen superuser without a user gets an account, and an unverified user stays unverified`, async () => {
    await using scene = await importScene(kind)
    using foreign = foreignHub(
      '0.18.8-head',
      `update _superusers set email = 'root@example.com'`,
      `update users set verified = 0 where username = 'bea'`,
      `insert into _superusers (id, email, password, tokenKey) select 'superbea0000000', 'bea@example.com', password, 'k' || tokenKey from _superusers`,
    )
    const plan = await scene.take(foreign, ['root@example.com', 'bea@example.com'])
    const byEmail = new Map((await scene.all('users')).map((one) => [one['email'], one]))
    assert.equal(isAdmin(byEmail.get('root@example.com')), true)
    assert.equal(await verifyPassword(PASSWORD, String(byEmail.get('root@example.com')?.['password'])), true)
    assert.deepEqual([byEmail.get('bea@example.com')?.['role'], byEmail.get('bea@example.com')?.['verified']], ['admin', false])
    assert.equal(reasonsOf(plan, 'superusers')['is an admin only after the address is verified'], 1)
    const again = await scene.take(foreign, ['root@example.com', 'bea@example.com'])
    assert.deepEqual([lineOf(again, 'superusers').present, lineOf(again, 'superusers').taken], [2, 0])
    assert.equal((await scene.all('users')).length, 4)
  })

  test(`${kind.name}: an account here keeps its password and role, unless its superuser is chosen`, async () => {
    await using scene = await importScene(kind)
    const own = await scene.insert('users', {
      email: 'bea@example.com',
      username: 'CEM',
      password: 'own',
      role: 'readonly',
      verified: true,
    })
    using foreign = foreignHub('0.18.8-head', `update _superusers set email = 'bea@example.com'`)
    const plan = await scene.take(foreign)
    assert.deepEqual(await scene.target.records.load('users', own.id), own)
    assert.equal(reasonsOf(plan, 'users')['the account with this address here stays as it is'], 1)
    const cem = (await scene.all('users')).find(({ email }) => email === 'cem@example.com')
    assert.equal(cem?.['username'], 'cem2')
    const [shared] = (await scene.all('systems')).filter(({ name }) => name === 'system-0')
    assert.ok(JSON.stringify(shared?.['users']).includes(own.id))
    await scene.take(foreign, ['bea@example.com'])
    const promoted = await scene.target.records.load('users', own.id)
    assert.deepEqual([promoted?.['role'], promoted?.['password'], promoted?.['username']], ['admin', 'own', 'CEM'])
  })

  test(`${kind.name}: accounts with bad values are repaired or left out, and never get more access`, async () => {
    await using scene = await importScene(kind)
    using foreign = foreignHub(
      '0.18.8-head',
      user('badrole00000000', { role: 'root' }),
      user('oddrole00000000', { role: ' Admin' }),
      user('readonly0000000', { role: ' ReadOnly ' }),
      user('badhash00000000', { password: 'hunter2' }),
      user('notyet000000000', { verified: 'perhaps' }),
      user('noemail00000000', { email: '' }),
      user('badmail00000000', { email: 'nobody' }),
      user('longname0000000', { name: 'n'.repeat(300) }),
      user('badname00000000', { username: 'ä b' }),
      user('shortkey0000000', { tokenKey: 'short' }),
      user('BAD ID', { email: 'badid@example.com', username: 'badid' }),
    )
    const plan = await scene.take(foreign)
    const byName = new Map((await scene.all('users')).map((one) => [String(one['email']).replace(/@.*/, ''), one]))
    assert.equal(byName.get('badrole00000000')?.['role'], 'user')
    assert.equal(byName.get('oddrole00000000')?.['role'], 'user')
    assert.equal(byName.get('readonly0000000')?.['role'], 'readonly')
    assert.equal(await verifyPassword('hunter2', String(byName.get('badhash00000000')?.['password'])), false)
    assert.equal(byName.get('notyet000000000')?.['verified'], false)
    assert.equal(Array.from(String(byName.get('longname0000000')?.['name'])).length, 255)
    assert.match(String(byName.get('badname00000000')?.['username']), /^users\d{6}$/)
    assert.match(String(byName.get('shortkey0000000')?.['tokenKey']), /^\w{50}$/)
    assert.match(byName.get('badid')?.id ?? '', /^[0-9a-f]{15}$/)
    const { 'it has no "email"': without, 'its "email" is invalid': invalid } = reasonsOf(plan, 'users')
    assert.deepEqual([without, invalid, lineOf(plan, 'users').taken], [1, 1, 12])
    assert.deepEqual(
      (await scene.plan(foreign)).lines.filter(({ taken }) => taken > 0),
      [],
    )
  })

  test(`${kind.name}: two people with one address there never share their systems, in no import`, async () => {
    await using scene = await importScene(kind)
    using foreign = foreignHub(
      '0.18.8-head',
      `drop index __pb_users_auth__email_idx`,
      user('double000000000', { email: 'bea@example.com' }),
      `insert into systems (id, name, host, users) values ('ofdouble0000000', 'double', 'h1', '["double000000000"]')`,
    )
    for (const taken of [3, 0]) {
      const plan = await scene.take(foreign)
      assert.equal(lineOf(plan, 'users').taken, taken)
      assert.equal(reasonsOf(plan, 'users')['another user there has the same address'], 1)
      const system = await scene.target.records.load('systems', 'ofdouble0000000')
      const [admin] = await scene.target.records.loadWhere('users', { email: ADMIN })
      assert.deepEqual(system?.['users'], [admin?.id], 'the first admin gets it, who manages all systems')
    }
  })

  test(`${kind.name}: a chosen address that no superuser has is refused`, async () => {
    await using scene = await importScene(kind)
    using foreign = foreignHub('0.18.8-head')
    await assert.rejects(scene.plan(foreign, ['bea@example.com']), /no superuser of the other hub has this address/)
  })
}
