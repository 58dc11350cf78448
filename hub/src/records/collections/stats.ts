import { systemMember } from './access-rules.ts'
import { idForm, type Collection } from '../model/collection.ts'

const rules = {
  list: systemMember,
  view: null,
  create: null,
  update: null,
  delete: null,
}

const fields: Collection['fields'] = [
  { kind: 'relation', name: 'system', to: 'systems', required: true, cascade: true },
  { kind: 'json', name: 'stats', required: true, maxBytes: 2_000_000 },
  { kind: 'select', name: 'type', required: true, values: ['1m', '10m', '20m', '120m', '480m'] },
  { kind: 'created', name: 'created' },
  { kind: 'updated', name: 'updated' },
]

/**
 * Definition of the collection `system_stats`: measurements of systems over time. It has no table: records are built from the history when
 * they are requested.
 */
export const systemStats: Collection = {
  name: 'system_stats',
  id: 'ej9oowivz8b2mht',
  type: 'base',
  storage: 'source',
  idForm: idForm(15),
  fields,
  rules,
  keys: 'read',
  unique: [],
}

/**
 * Definition of the collection `container_stats`: measurements of containers over time. It has no table: records are built from the history
 * when they are requested.
 */
export const containerStats: Collection = { ...systemStats, name: 'container_stats', id: 'juohu4jipgc13v7' }
