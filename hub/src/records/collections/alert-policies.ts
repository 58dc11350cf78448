import { LONGEST_TARGET } from '../../alerts/rules/user-alerts.ts'
import { policyErrors, followPolicy } from '../../alerts/policies/policy-edits.ts'
import { alertNames } from './alerts.ts'
import { owner, ownWithAnySystem } from './access-rules.ts'
import { idForm, type Collection } from '../model/collection.ts'
import { LONGEST_TAG } from '../model/tag.ts'

/** Maximum size in bytes (2,000) of the field `values` of an alert policy as JSON text. */
const MOST_BYTES = 2_000

/**
 * Definition of the collection `alert_policies`: a user's alert settings for all systems, for systems with a tag, or for one system. Only
 * tags of admins and their tokens count. `values` has only what the policy sets; policies for more systems give the rest.
 */
export const alertPolicies: Collection = {
  name: 'alert_policies',
  id: 'vedette_policy_',
  type: 'base',
  storage: 'table',
  idForm: idForm(15),
  fields: [
    { kind: 'relation', name: 'user', to: 'users', required: true, cascade: true },
    { kind: 'text', name: 'tag', maxLength: LONGEST_TAG },
    { kind: 'relation', name: 'system', to: 'systems', cascade: true },
    { kind: 'select', name: 'name', required: true, values: alertNames },
    { kind: 'text', name: 'target', maxLength: LONGEST_TARGET },
    { kind: 'json', name: 'values', maxBytes: MOST_BYTES },
    { kind: 'created', name: 'created' },
    { kind: 'updated', name: 'updated' },
  ],
  rules: { list: owner, view: owner, create: owner, update: owner, delete: owner, stored: ownWithAnySystem },
  keys: 'write',
  unique: [{ fields: ['user', 'tag', 'system', 'name', 'target'] }],
  hooks: {
    check: policyErrors,
    followed: followPolicy,
  },
}
