import { messageSettingsProblem } from '../../alerts/messages/message-settings.ts'
import { addedPersons, escalationProblem } from '../../alerts/notifications/escalation/escalation-steps.ts'
import { notificationRulesProblem } from '../../alerts/notifications/notification-rules.ts'
import { owner } from './access-rules.ts'
import { idForm, type Collection } from '../model/collection.ts'
import { isJsonObject } from '../../platform/json.ts'
import type { FieldErrors } from '../model/record-error.ts'
import { asText, isAdmin } from '../model/stored-record.ts'

const invalid = (message: string): FieldErrors => ({ settings: { code: 'validation_invalid_value', message } })

/**
 * Definition of the collection `user_settings`: preferences of a user. When a request creates a record, the hub keeps only the chart range
 * (`1h` if absent) and sets the user's own email address.
 */
export const userSettings: Collection = {
  name: 'user_settings',
  id: '4afacsdnlu8q8r2',
  type: 'base',
  storage: 'table',
  idForm: idForm(15),
  fields: [
    { kind: 'relation', name: 'user', to: 'users', required: true, cascade: true },
    { kind: 'json', name: 'settings', maxBytes: 1_000_000 },
    { kind: 'created', name: 'created' },
    { kind: 'updated', name: 'updated' },
  ],
  rules: { list: owner, view: null, create: owner, update: owner, delete: null, stored: owner },
  unique: [{ fields: ['user'] }],
  hooks: {
    check({ settings = null }, previous) {
      const before = previous?.['settings']
      const rules = notificationRulesProblem(settings, before) ?? escalationProblem(settings, before)
      const problem = rules === undefined ? messageSettingsProblem(settings, before) : `${rules}.`
      return problem === undefined ? {} : invalid(problem)
    },
    async checkOthers({ user = '', settings = null }, previous, { unit, store }) {
      const persons = addedPersons(settings, previous?.['settings'])
      if (persons.length === 0) return {}
      const owner = await store.load('users', asText(user), unit)
      if (owner === undefined || !isAdmin(owner)) return invalid('"escalation" is wrong: Only admins can name another person.')
      for (const person of persons) {
        if (person === owner.id) return invalid('"escalation" is wrong: Must name another person, or own channels.')
        if ((await store.load('users', person, unit)) === undefined) return invalid('"escalation" is wrong: The person has no account.')
      }
      return {}
    },
    async prepareCreate(values, { unit, store }) {
      const user = await store.load('users', asText(values['user'] ?? ''), unit)
      const given = values['settings']
      const chartTime =
        isJsonObject(given) && typeof given['chartTime'] === 'string' && given['chartTime'] !== '' ? given['chartTime'] : '1h'
      return { ...values, settings: { chartTime, emails: user === undefined ? [] : [user['email'] ?? ''] } }
    },
  },
}
