import { collectionsOf, type Collection, type Field } from '../src/records/model/collection.ts'
import type { RecordsInMemory } from './related-in-memory.ts'

function collection(name: string, list: string | null, fields: readonly Field[], unique: Collection['unique'] = []): Collection {
  const rules = { list, view: null, create: null, update: null, delete: null }
  const idForm = { minLength: 1, maxLength: 15, pattern: /./, generate: () => 'new' }
  return { name, id: `${name}_id`, type: 'base', storage: 'table', idForm, fields, rules, unique }
}

/** Collections with a field of each kind, related in each way. */
export const collections = collectionsOf([
  collection('people', '', [
    { kind: 'email', name: 'email' },
    { kind: 'flag', name: 'emailVisibility' },
    { kind: 'text', name: 'name' },
    { kind: 'text', name: 'note', hidden: true },
    { kind: 'relation', name: 'boss', to: 'people' },
  ]),
  collection('machines', '', [
    { kind: 'text', name: 'name' },
    { kind: 'number', name: 'port' },
    { kind: 'flag', name: 'up' },
    { kind: 'select', name: 'status', values: ['up', 'down'] },
    { kind: 'json', name: 'info', maxBytes: 1000 },
    { kind: 'relation', name: 'users', to: 'people', many: true },
    { kind: 'relation', name: 'owner', to: 'people' },
    { kind: 'created', name: 'created' },
  ]),
  collection(
    'notes',
    'author = @request.auth.id',
    [
      { kind: 'relation', name: 'machine', to: 'machines' },
      { kind: 'relation', name: 'author', to: 'people' },
      { kind: 'relation', name: 'lost', to: 'no_such' },
      { kind: 'number', name: 'value' },
      { kind: 'text', name: 'text' },
    ],
    [{ fields: ['machine', 'author'] }, { fields: ['text'] }],
  ),
  collection('rooms', 'members.id ?= @request.auth.id', [
    { kind: 'text', name: 'name' },
    { kind: 'relation', name: 'members', to: 'people', many: true },
  ]),
  collection('doors', '', [{ kind: 'relation', name: 'room', to: 'rooms' }]),
  collection(
    'tokens',
    null,
    [
      { kind: 'relation', name: 'machine', to: 'machines' },
      { kind: 'secret', name: 'token' },
    ],
    [{ fields: ['machine'] }, { fields: ['machine', 'token'] }],
  ),
])

export const records: RecordsInMemory = {
  people: [
    { id: 'alice', name: 'Alice', email: 'Alice@example.com', emailVisibility: true, note: 'n', boss: 'bob' },
    { id: 'bob', name: 'Bob', email: 'bob@example.com', emailVisibility: false, note: '', boss: '' },
  ],
  machines: [
    {
      id: 'web',
      name: 'Web-1',
      port: 80,
      up: true,
      status: 'up',
      info: {
        cpu: 12.5,
        load: [1, 2, 3],
        os: 'Linux',
        deep: { a: 'x', 1: 'key', a1: 'y', '1a': 'z' },
        many: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
        fine: true,
      },
      users: ['alice', 'bob'],
      owner: 'alice',
      created: '2026-01-10 08:00:00.000Z',
    },
    {
      id: 'db',
      name: 'db',
      port: 0,
      up: false,
      status: '',
      info: null,
      users: ['alice'],
      owner: 'bob',
      created: '2025-06-01 00:00:00.000Z',
    },
    { id: 'new', name: '', port: 5432, up: true, status: 'down', info: { cpu: 0, load: [] }, users: [], owner: '', created: '' },
  ],
  notes: [
    { id: 'n1', machine: 'web', author: 'alice', value: 3, text: 'disk' },
    { id: 'n2', machine: 'web', author: 'bob', value: 8, text: 'fan' },
    { id: 'n3', machine: 'db', author: 'alice', value: 8, text: 'disk' },
  ],
  tokens: [
    { id: 't1', machine: 'web', token: 'abc' },
    { id: 't2', machine: 'db', token: '1' },
  ],
  rooms: [
    { id: 'hall', name: 'Hall', members: ['alice', 'bob'] },
    { id: 'vault', name: 'Vault', members: ['bob'] },
  ],
  doors: [
    { id: 'front', room: 'hall' },
    { id: 'back', room: 'vault' },
  ],
}
