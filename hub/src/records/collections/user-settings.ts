import { messageSettingsProblem } from '../../alerts/messages/message-settings.ts'
import { notificationRulesProblem } from '../../alerts/notifications/notification-rules.ts'
import { owner } from './access-rules.ts'
import { idForm, type Collection } from '../model/collection.ts'
import { isJsonObject } from '../../platform/json.ts'
import { asText } from '../model/stored-record.ts'

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
      const rules = notificationRulesProblem(settings, before)
      const problem = rules === undefined ? messageSettingsProblem(settings, before) : `${rules}.`
      return problem === undefined ? {} : { settings: { code: 'validation_invalid_value', message: problem } }
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
