import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportSystems } from '../../src/fleet/enrolment/export-systems.ts'
import { importSystems } from '../../src/fleet/enrolment/import-systems.ts'
import { databases, silentLog } from '../databases.ts'
import { dataset, recordedHub } from '../recorded-hub.ts'

const file = `
systems:
  - name: nas
    host: 10.0.0.9
    users: [bob.builder@example.org]
  - name: new
    host: 10.0.0.8
    port: 1234
    token: token-of-the-new-one
`

for (const kind of databases) {
  test(`${kind.name}: config.yml creates, updates and deletes its own systems only`, async () => {
    await using hub = await recordedHub(kind)
    const { store } = hub.engine
    const before = await store.loadWhere('systems', {})
    await importSystems(hub.engine, file, silentLog)
    const [nas] = await store.loadWhere('systems', { name: 'nas' })
    const [made] = await store.loadWhere('systems', { name: 'new' })
    assert.deepEqual([nas?.['users'], nas?.['port'], nas?.['status']], [[dataset.aliases['bob']], '45876', 'pending'])
    const [fingerprint] = await store.loadWhere('fingerprints', { token: 'token-of-the-new-one' })
    assert.equal(fingerprint?.['system'], made?.id)

    // The same file changes nothing. Another token replaces the first, and systems that left the file are deleted.
    const [nasToken] = await store.loadWhere('fingerprints', { system: nas?.id ?? '' })
    await importSystems(hub.engine, file, silentLog)
    assert.equal((await store.loadWhere('systems', {})).length, before.length + 2)
    assert.equal((await store.loadWhere('fingerprints', { system: nas?.id ?? '' }))[0]?.['token'], nasToken?.['token'])
    await importSystems(hub.engine, file.slice(0, file.indexOf('  - name: new')), silentLog)
    assert.deepEqual(await store.loadWhere('systems', { name: 'new' }), [])
    assert.equal((await store.loadWhere('systems', {})).length, before.length + 1)
    await importSystems(hub.engine, 'systems: []', silentLog)
    assert.equal((await store.loadWhere('systems', {})).length, before.length + 1)
  })

  test(`${kind.name}: a config.yml with an invalid system changes nothing, and the error names the system`, async () => {
    await using hub = await recordedHub(kind)
    const { store } = hub.engine
    const before = await store.loadWhere('systems', {})
    for (const [bad, message] of [
      [`${file}  - name: x\n    host: h\n    port: 70000\n`, 'Cannot use "config.yml": system 3: port: Invalid value format.'],
      [`${file}  - name: x\n`, 'Cannot read "config.yml": system 3 needs a name and a host'],
      [
        `${file}  - name: x\n    host: h\n    users: [nobody@example.com]\n`,
        'Cannot use "config.yml": system 3: users: nobody of them is known',
      ],
      [`${file}   - x`, 'Cannot read "config.yml": line 10: All sequence items must start at the same column'],
      ['systems: 5', 'Cannot read "config.yml": "systems" is not a list'],
    ] as const) {
      await assert.rejects(importSystems(hub.engine, bad, silentLog), { name: 'SystemFileUnusableError', message })
      assert.deepEqual(await store.loadWhere('systems', {}), before)
    }
  })

  test(`${kind.name}: importing an exported config.yml changes nothing`, async () => {
    await using hub = await recordedHub(kind)
    const { store } = hub.engine
    const shape = async () => ({
      systems: (await store.loadWhere('systems', {})).map(({ id, name, host, users }) => ({ id, name, host, users })),
      tokens: (await store.loadWhere('fingerprints', {})).map(({ system, token }) => [system, token]).toSorted(),
    })
    // Two systems with the same name and address cannot be distinguished.
    const before = await shape()
    const tokens = before.tokens.map(([system]) => system)
    await importSystems(hub.engine, await exportSystems(store), silentLog)
    const after = await shape()
    assert.deepEqual(after.systems, before.systems)
    assert.deepEqual(
      after.tokens.filter(([system]) => tokens.includes(system ?? '')),
      before.tokens,
    )
  })
}
