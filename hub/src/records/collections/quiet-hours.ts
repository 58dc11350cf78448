import { owner } from './access-rules.ts'
import { idForm, type Collection } from '../model/collection.ts'

/**
 * Definition of the collection `quiet_hours`: times in which a user gets no notifications, for one `system` or, if it is empty, for all. A
 * daily window has the times of day of `start` and `end` in the user's time zone.
 */
export const quietHours: Collection = {
  name: 'quiet_hours',
  id: 'pbc_451525641',
  type: 'base',
  storage: 'table',
  idForm: idForm(10),
  fields: [
    { kind: 'relation', name: 'user', to: 'users', cascade: true },
    { kind: 'relation', name: 'system', to: 'systems', cascade: true },
    { kind: 'select', name: 'type', required: true, values: ['one-time', 'daily'] },
    { kind: 'date', name: 'start', required: true },
    { kind: 'date', name: 'end', required: true },
  ],
  rules: { list: owner, view: owner, create: owner, update: owner, delete: owner, stored: owner },
  keys: 'write',
  unique: [],
}
