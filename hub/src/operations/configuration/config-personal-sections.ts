import { ownValue } from '@vedette/protocol/own-value'
import { z } from 'zod'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { knownZone } from '../../alerts/judging/zone-clock.ts'
import { isJsonObject } from '../../platform/json.ts'
import { fieldKinds } from '../../records/collections/system-fields.ts'
import { asText } from '../../records/model/stored-record.ts'
import { requiredReference, textField } from './config-fields.ts'
import type { ConfigField, ConfigSection } from './config-section.ts'

export const fieldSection: ConfigSection = {
  name: 'systemFields',
  collection: 'system_fields',
  noun: 'field of systems',
  key: ['name'],
  fields: [
    textField('name', 'Name of the field that admins define for all systems.'),
    { name: 'kind', schema: z.enum(fieldKinds).describe('Kind of its values. It cannot change later.') },
    { name: 'unit', schema: z.string().describe('Unit of a number, or currency of a price.').optional() },
  ],
}

const link = z.strictObject({
  name: z.string().describe('Text of the link; without it, the address.').default(''),
  url: z.string().describe('Address with http:// or https://.'),
})

const linksOf = (value: Json | undefined): Json =>
  (Array.isArray(value) ? value : []).flatMap((one) => {
    const { name = '', url = '' } = isJsonObject(one) ? one : {}
    return [{ ...(name !== '' && { name }), url }]
  })

export const noteSection: ConfigSection = {
  name: 'systemNotes',
  collection: 'system_notes',
  noun: 'notes of',
  key: ['system'],
  fields: [
    requiredReference('system', 'systems', 'Name of the system.'),
    { name: 'notes', schema: z.string().describe('Notes about the system, in Markdown.').optional() },
    {
      name: 'links',
      schema: z.array(link).describe('Links to pages about the system.').optional(),
      normalize: linksOf,
      read: ({ links }) => linksOf(links),
    },
    {
      name: 'values',
      to: 'system_fields',
      schema: z
        .record(z.string(), z.union([z.string(), z.number()]))
        .describe('Values of defined fields, by the name of the field.')
        .optional(),
      normalize: (value) => (isJsonObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : {}),
    },
  ],
}

type Setting = {
  /**
   * Name of this setting in the JSON object of personal settings that is stored for each user, such as `timeZone`. A configuration file may
   * use another name for it.
   */
  readonly member: string
  readonly schema: z.ZodType<string>
  /**
   * Map from the setting's text in a configuration file to the number that is stored for it in the user's settings. Absent: the text itself
   * is stored.
   */
  readonly stored?: Readonly<Record<string, number>>
}

/**
 * Creates the definition of a configuration file's text field for one personal setting of a user. The empty text removes the setting from
 * the database, so that the default applies.
 */
const settingField = (name: string, doc: string, { member, schema, stored = {} }: Setting): ConfigField => ({
  name,
  recordField: member,
  schema: schema.describe(doc).optional(),
  within: 'settings',
  isSetLater: true,
  toMember: (value) => (value === '' ? undefined : (ownValue(stored, asText(value)) ?? value)),
  read: ({ settings }) => {
    const value = isJsonObject(settings) ? ownValue(settings, member) : undefined
    const text = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
    const written = Object.entries(stored).find(([, one]) => String(one) === text)?.[0] ?? text
    // Other clients store what they want; a file has only values that can be applied.
    return schema.safeParse(written).success ? written : ''
  },
})

const zone = z.string().refine((text) => text === '' || knownZone(text) !== undefined, 'Must be a time zone, such as Europe/Berlin')
const amounts = { schema: z.enum(['', 'bytes', 'bits']), stored: { bytes: 0, bits: 1 } }

export const preferenceSection: ConfigSection = {
  name: 'preferences',
  collection: 'user_settings',
  noun: 'preferences of',
  key: ['user'],
  fields: [
    requiredReference('user', 'users', 'Email address of the account.'),
    settingField('quietZone', 'Time zone of daily quiet hours, such as Europe/Berlin. If it is empty, they use timeZone.', {
      member: 'quietZone',
      schema: zone,
    }),
    settingField('timeZone', 'Time zone of the pages, such as Europe/Berlin. Empty for that of the browser.', {
      member: 'timeZone',
      schema: zone,
    }),
    settingField('temperature', 'Unit of temperatures. Empty for the default.', {
      member: 'unitTemp',
      schema: z.enum(['', 'celsius', 'fahrenheit']),
      stored: { celsius: 2, fahrenheit: 3 },
    }),
    settingField('network', 'Unit of network traffic. Empty for the default.', { member: 'unitNet', ...amounts }),
    settingField('disk', 'Unit of disk traffic. Empty for the default.', { member: 'unitDisk', ...amounts }),
    settingField('hours', 'Clock of the pages. Empty for that of the language.', {
      member: 'hourFormat',
      schema: z.enum(['', '12h', '24h']),
    }),
    settingField('language', 'Language of notifications and emails. Empty for English, or for that of the request of an email.', {
      member: 'language',
      schema: z.enum(['', 'en', 'de']),
    }),
    settingField('chartRange', 'Time range with which charts open. Empty for the default.', {
      member: 'chartTime',
      schema: z.enum(['', '1h', '12h', '24h', '1w', '30d']),
    }),
  ],
  isNeverDeleted: true,
  isJoined: true,
}

export const viewSection: ConfigSection = {
  name: 'savedViews',
  collection: 'saved_views',
  noun: 'saved view',
  key: ['user', 'name'],
  fields: [
    requiredReference('user', 'users', 'Email address of the owner.'),
    textField('name', 'Name of the view.'),
    { name: 'shared', schema: z.boolean().describe('True for a view that everybody may open.').optional() },
    { name: 'search', schema: z.string().describe('Search part of the address of the page All Systems.').optional() },
  ],
}
