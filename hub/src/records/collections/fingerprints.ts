import { randomUUID } from 'node:crypto'
import { systemManager } from './access-rules.ts'
import { idForm, type Collection } from '../model/collection.ts'

/**
 * Definition of the collection `fingerprints`: the agent of each system. An agent connects with the `token`; `fingerprint` identifies its
 * machine and is stored at the first connection.
 */
export const fingerprints: Collection = {
  name: 'fingerprints',
  id: 'pbc_3663931638',
  type: 'base',
  storage: 'table',
  idForm: idForm(9, { minLength: 9, maxLength: 15 }),
  fields: [
    { kind: 'relation', name: 'system', to: 'systems', required: true, cascade: true },
    { kind: 'secret', name: 'token', required: true, minLength: 9, maxLength: 255, generate: randomUUID },
    { kind: 'text', name: 'fingerprint', minLength: 9, maxLength: 255 },
    { kind: 'updated', name: 'updated' },
  ],
  /** Access rules of `fingerprints`. The token lets an agent connect, so users with a read-only account cannot read these records. */
  rules: {
    list: systemManager,
    view: systemManager,
    create: systemManager,
    update: systemManager,
    delete: systemManager,
    stored: systemManager,
  },
  unique: [{ fields: ['system'] }],
}
