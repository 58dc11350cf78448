import { owner } from './access-rules.ts'
import { idForm, type Collection } from '../model/collection.ts'

/**
 * Definition of the collection `alerts_history`: the newest periods in which a user's alerts were firing. Above 250 records of a user, the
 * ended ones beyond the newest 200 are deleted. `value` is the alert's threshold at that time; `resolved` is the end, empty while the alert
 * is firing.
 */
export const alertsHistory: Collection = {
  name: 'alerts_history',
  id: 'pbc_1697146157',
  type: 'base',
  storage: 'table',
  idForm: idForm(15),
  fields: [
    { kind: 'relation', name: 'user', to: 'users', required: true, cascade: true },
    { kind: 'relation', name: 'system', to: 'systems', required: true, cascade: true },
    { kind: 'text', name: 'alert_id' },
    { kind: 'text', name: 'name', required: true },
    { kind: 'number', name: 'value' },
    { kind: 'created', name: 'created' },
    { kind: 'date', name: 'resolved' },
  ],
  rules: { list: owner, view: null, create: null, update: null, delete: owner },
  keys: 'read',
  unique: [],
}
