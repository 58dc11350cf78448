import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesText } from './config-changes-text.ts'
import type { ConfigFile } from './config-form.ts'
import { pathText } from './config-problem.ts'
import { defaultSignIn } from '../../accounts/sessions/sign-in-settings.ts'
import { defaultSettings } from '../../settings/settings.ts'
import type { ConfigEntry } from './config-section.ts'
import { planConfig } from './plan-config.ts'
import type { StoredConfig } from './stored-config.ts'

/** A stored configuration whose ids are `SECTION` and a number. */
function stored(sections: Readonly<Record<string, readonly ConfigEntry[]>>): StoredConfig {
  const named = (section: string) => new Map((sections[section] ?? []).map((entry, at) => [`${section}${at}`, String(entry['name'])]))
  const entries = Object.entries(sections).map(
    ([section, all]) => [section, all.map((entry, at) => ({ id: `${section}${at}`, entry }))] as const,
  )
  return {
    settings: defaultSettings,
    signIn: { ways: defaultSignIn, oauth2: { enabled: false, createUsers: false, providers: [] } },
    names: {
      users: new Map([['u1', 'ann@example.com']]),
      groups: named('groups'),
      systems: named('systems'),
      system_fields: named('systemFields'),
    },
    entries: new Map(entries),
  }
}

const plan = (before: StoredConfig, file: Omit<ConfigFile, 'version'>, deletesMissing = false) =>
  planConfig(before, { version: 1, ...file }, { deletesMissing, newId: ({ name }) => `new ${name}` })

const web = { name: 'web', host: '10.0.0.1', port: '45876', paused: false, users: ['ann@example.com'], tags: ['a', 'b'] }
const hub = stored({ systems: [web, { ...web, name: 'db' }], groups: [{ name: 'ops', members: [] }] })

const plans: readonly (readonly [name: string, file: Omit<ConfigFile, 'version'>, deletesMissing: boolean, expected: readonly string[]])[] =
  [
    ['an empty file', {}, false, ['no differences', 'Not in the file, and left as they are: 1 in groups, 2 in systems']],
    [
      'a field that is missing',
      { systems: [{ name: 'web', host: '10.0.0.1' }] },
      false,
      ['no differences', 'Not in the file, and left as they are: 1 in groups, 1 in systems'],
    ],
    [
      'another order and a number as port',
      { systems: [{ ...web, port: 45_876, tags: ['b', 'a', ' a'] }] },
      false,
      ['no differences', 'Not in the file, and left as they are: 1 in groups, 1 in systems'],
    ],
    [
      'a changed system',
      { systems: [{ ...web, host: 'h', tags: ['b', 'c'] }] },
      false,
      [
        '~ system "web"\n    host: "10.0.0.1" -> "h"\n    tags: +"c" -"a"',
        'Not in the file, and left as they are: 1 in groups, 1 in systems',
      ],
    ],
    [
      'new records that refer to each other',
      { groups: [{ name: 'dev' }], access: [{ tag: 'a', group: 'dev', may: 'view' }] },
      false,
      ['+ group "dev"', '+ grant "a" "dev"\n    may: "view"', 'Not in the file, and left as they are: 1 in groups, 2 in systems'],
    ],
    ['missing records to delete', { systems: [web] }, true, ['- system "db"', 'Not in the file, and left as they are: 1 in groups']],
  ]

for (const [name, file, deletesMissing, expected] of plans)
  test(`a plan for ${name}`, () => {
    const made = plan(hub, file, deletesMissing)
    assert.deepEqual(made.problems, [])
    assert.deepEqual(changesText(made), expected)
  })

const wrong: readonly (readonly [name: string, file: Omit<ConfigFile, 'version'>, deletesMissing: boolean, expected: string])[] = [
  [
    'an unknown user',
    { groups: [{ name: 'ops', members: ['bob@example.com'] }] },
    false,
    'groups[0].members: there is no user "bob@example.com"',
  ],
  [
    'an alert of an unknown system',
    { alertRules: [{ user: 'ann@example.com', system: 'x', kind: 'CPU' }] },
    false,
    'alertRules[0].system: there is no system "x"',
  ],
  [
    'a value of an unknown field',
    { systemNotes: [{ system: 'web', values: { Rack: '7' } }] },
    false,
    'systemNotes[0].values: there is no field "Rack"',
  ],
  ['an unknown group', { access: [{ tag: 'a', group: 'dev', may: 'view' }] }, false, 'access[0].group: there is no group "dev"'],
  [
    'a group that it deletes',
    { groups: [], access: [{ tag: 'a', group: 'ops', may: 'view' }] },
    true,
    'access[0].group: there is no group "ops"',
  ],
  ['a record twice', { groups: [{ name: 'a' }, { name: 'a' }] }, false, 'groups[1]: group "a" is already groups[0]'],
]

for (const [name, file, deletesMissing, expected] of wrong)
  test(`a plan with ${name} has an error with its path`, () => {
    const { problems } = plan(hub, file, deletesMissing)
    assert.deepEqual(
      problems.map(({ path, message }) => `${pathText(path)}: ${message}`),
      [expected],
    )
  })

test('a name that is not unique on the hub is an error only where the file uses it', () => {
  const twice = stored({ systems: [web, web] })
  assert.deepEqual(plan(twice, { groups: [] }).problems, [])
  const [problem] = plan(twice, { systems: [web] }).problems
  assert.equal(problem?.message, 'system "web" is not unique on this hub')
})
