import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Grant, Right } from '../../../api/access-lists.ts'
import { readSystem } from '../../../api/system-record.ts'
import { lostAccess, tagReach, withMembers, withoutGrant, withoutGroup, withoutTag, type AccessState } from './access-model.ts'

const system = (id: string, users: readonly string[], tags: Readonly<Record<string, readonly string[]>>) =>
  readSystem({ id, users, tags: Object.keys(tags), tagSources: Object.entries(tags).map(([tag, sources]) => ({ tag, sources })) })

const systems = [
  system('one', ['dora'], { prod: ['admin'], db: ['token'] }),
  system('two', ['anna'], { prod: ['admin', 'agent'] }),
  system('three', [], { prod: ['agent'] }),
  system('four', [], { db: ['admin'] }),
]

const person = (id: string, role: 'admin' | 'user' | 'readonly' = 'user') => ({ id, name: '', email: `${id}@example.com`, role })
const grant = (tag: string, kind: 'user' | 'group', id: string, may: Right = 'view'): Grant => ({
  id: `${tag} ${id}`,
  tag,
  holder: { kind, id },
  may,
})
const group = {
  id: 'ops',
  name: 'Operations',
  memberIds: ['anna', 'ben', 'chief', 'rita'],
  claimedIds: [],
  claim: '',
  role: '',
} as const
const state: AccessState = {
  people: [person('anna'), person('ben'), person('chief', 'admin'), person('dora'), person('rita', 'readonly')],
  groups: [group],
  grants: [grant('prod', 'group', 'ops', 'change'), grant('prod', 'user', 'ben'), grant('db', 'group', 'ops')],
}
const losses = (after: AccessState) =>
  Object.fromEntries(lostAccess(systems, state, after).map(({ person: { id }, hidden, readOnly }) => [id, [hidden, readOnly]]))

test('tagReach counts systems where an admin or a token set the tag apart from the others', () => {
  const reach = tagReach(systems)
  assert.deepEqual(
    [reach('prod'), reach('db'), reach('none')],
    [
      { opened: 2, waiting: 1 },
      { opened: 2, waiting: 0 },
      { opened: 0, waiting: 0 },
    ],
  )
})

test('lostAccess of a deleted group counts systems without another way: own systems, own grants and admins lose nothing', () => {
  // Anna is a user of "two". Ben may still view the systems with "prod".
  assert.deepEqual(losses(withoutGroup(state, group)), { anna: [2, 0], ben: [1, 2], rita: [3, 0] })
})

test('lostAccess of a removed grant keeps what another tag opens; read-only accounts lose no right to change', () => {
  const [prod, own] = state.grants
  assert.ok(prod !== undefined && own !== undefined)
  assert.deepEqual(losses(withoutGrant(state, prod)), { anna: [0, 1], ben: [0, 2], rita: [1, 0] })
  assert.deepEqual(losses(withoutGrant(state, own)), {})
})

test('lostAccess of changed members counts only those who left', () => {
  assert.deepEqual(losses(withMembers(state, group, ['anna', 'ben', 'dora'])), { rita: [3, 0] })
  assert.deepEqual(losses(state), {})
})

test('lostAccess of a deleted tag is that of all its grants, and members by claim lose it like others', () => {
  // Dora is a user of "one".
  const claimed = { ...state, groups: [{ ...group, claimedIds: ['dora', 'anna'] }] }
  const lost = lostAccess(systems, claimed, withoutTag(claimed, 'prod')).map(({ person: { id }, hidden, readOnly }) => [
    id,
    hidden,
    readOnly,
  ])
  assert.deepEqual(lost, [
    ['anna', 0, 1],
    ['ben', 1, 1],
    ['dora', 1, 0],
    ['rita', 1, 0],
  ])
})
