import { ownValue } from '@vedette/protocol/own-value'
import { z } from 'zod'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { severities } from '../../alerts/judging/judgement.ts'
import { isJsonObject } from '../../platform/json.ts'
import { randomId } from '../../platform/secrets/random-id.ts'
import { alertNames } from '../../records/collections/alerts.ts'
import { roles } from '../../records/collections/users.ts'
import { normalDate } from '../../records/model/stored-record.ts'
import { normalTag, parseSources } from '../../records/model/tag.ts'
import { listOf, optionalReference, requiredReference, secretReference, sortedTexts, textField, textsIn } from './config-fields.ts'
import { fieldSection, noteSection, preferenceSection, viewSection } from './config-personal-sections.ts'
import type { ConfigField, ConfigSection } from './config-section.ts'

const normalTagText = (value: Json): Json => (typeof value === 'string' ? normalTag(value) : value)

const users: ConfigSection = {
  name: 'users',
  collection: 'users',
  noun: 'user',
  key: ['email'],
  fields: [
    textField('email', 'Email address of the account. A new account has no password that anybody knows.'),
    { name: 'name', schema: z.string().describe('Name of the person.').optional() },
    {
      name: 'role',
      schema: z.enum(roles).describe('Role of the account; user by default.').optional(),
      read: ({ role }) => (role === '' || role === undefined ? 'user' : role),
    },
  ],
  isNeverDeleted: true,
  // A new admin comes before the former one loses the role, because a hub needs an admin at each moment.
  comesFirst: ({ role }) => role === 'admin',
  newValues: () => {
    const password = randomId(40)
    return { password, passwordConfirm: password, verified: true, username: `users${randomId(15)}` }
  },
}

const groups: ConfigSection = {
  name: 'groups',
  collection: 'groups',
  noun: 'group',
  key: ['name'],
  fields: [
    textField('name', 'Name of the group.'),
    listOf('members', 'Email addresses of the members.', { to: 'users' }),
    {
      name: 'claim',
      schema: z.string().describe("Value of a provider's claim. Who signs in with it becomes a member. Empty for none.").optional(),
    },
    {
      name: 'role',
      schema: z
        .enum(['', ...roles])
        .describe('Role that members by claim get at sign-in. Empty for none.')
        .optional(),
    },
  ],
  // A value of a claim is free before another group gets it.
  comesFirst: ({ claim }) => claim === '',
}

const access: ConfigSection = {
  name: 'access',
  collection: 'tag_access',
  noun: 'grant',
  key: ['tag', 'user', 'group'],
  fields: [
    textField('tag', 'Tag of the systems.', { normalize: normalTagText }),
    optionalReference('user', 'users', 'Email address of the user who gets access. A grant has a user or a group.'),
    optionalReference('group', 'groups', 'Name of the group whose members get access.'),
    { name: 'may', schema: z.enum(['view', 'change']).describe('Right that the grant gives.') },
  ],
}

const tagRules: ConfigSection = {
  name: 'tagRules',
  collection: 'tag_rules',
  noun: 'tag rule',
  key: ['tag', 'filter'],
  fields: [
    textField('tag', 'Tag that the rule sets. It gives no access.'),
    textField('filter', "Filter of the systems, such as name ~ 'web-%'."),
  ],
}

const systems: ConfigSection = {
  name: 'systems',
  collection: 'systems',
  noun: 'system',
  key: ['name'],
  fields: [
    textField('name', 'Name of the system. It must be unique on the hub.'),
    textField('host', 'Host name or address of the agent.'),
    {
      name: 'port',
      schema: z.union([z.string(), z.int()]).describe('Port of the agent, or the path of its Unix socket.').optional(),
      normalize: (value) => (typeof value === 'number' ? String(value) : value),
    },
    {
      name: 'paused',
      schema: z.boolean().describe('True for a system that the hub does not poll.').optional(),
      read: ({ status }) => status === 'paused',
      write: (value) => ({ status: value === true ? 'paused' : 'pending' }),
      isSetLater: true,
    },
    listOf('users', 'Email addresses of the users who share the system.', { to: 'users' }),
    listOf(
      'tags',
      'Tags that admins set. Tags of agents, tokens, rules and other people do not appear here.',
      {
        read: ({ tagSources }) =>
          sortedTexts(parseSources(tagSources).flatMap(({ tag, sources }) => (sources.includes('admin') ? [tag] : []))),
        write: (value, before) => {
          const [next, known] = [textsIn(value), textsIn(before)]
          if (before === undefined) return { tags: [...next] }
          return { 'tags+': next.filter((tag) => !known.includes(tag)), 'tags-': known.filter((tag) => !next.includes(tag)) }
        },
      },
      normalTag,
    ),
  ],
  companions: (id) => ({ fingerprints: { system: id } }),
}

const alertRules: ConfigSection = {
  name: 'alertRules',
  collection: 'alerts',
  noun: 'alert rule',
  key: ['user', 'system', 'kind', 'target'],
  fields: [
    requiredReference('user', 'users', 'Email address of the user who gets the notifications.'),
    requiredReference('system', 'systems', 'Name of the system.'),
    { name: 'kind', recordField: 'name', schema: z.enum(alertNames).describe('Kind of the alert, such as CPU.') },
    {
      name: 'target',
      schema: z.string().describe('Part of the system, such as the name of a container.').optional(),
      isOmittedEmpty: true,
    },
    { name: 'value', schema: z.number().describe('Threshold in the unit of the kind.').optional() },
    { name: 'minutes', recordField: 'min', schema: z.int().describe('Duration in minutes until the alert fires.').optional() },
    {
      name: 'severity',
      schema: z.enum(severities).describe('Severity of the alert; critical by default.').optional(),
      isOmittedEmpty: true,
    },
  ],
  isExported: ({ inherited }) => inherited !== true,
}

const alertPolicySection: ConfigSection = {
  name: 'alertPolicies',
  collection: 'alert_policies',
  noun: 'alert policy',
  key: ['user', 'tag', 'system', 'kind', 'target'],
  fields: [
    requiredReference('user', 'users', 'Email address of the user who gets the notifications.'),
    optionalReference('system', 'systems', 'Name of the system to which the policy applies; without it and without a tag, all systems.'),
    textField('tag', 'Tag of the systems to which the policy applies.', { schema: z.string().optional(), isOmittedEmpty: true }),
    { name: 'kind', recordField: 'name', schema: z.enum(alertNames).describe('Kind of the alert, such as CPU.') },
    textField('target', 'Part of a system, such as the name of a container.', { schema: z.string().optional(), isOmittedEmpty: true }),
    {
      name: 'values',
      schema: z
        .record(z.string(), z.union([z.boolean(), z.number(), z.enum(severities)]))
        .describe(
          'Values that the policy sets: off, threshold, minutes, clear, warning, warningMinutes, severity. The others come from wider policies.',
        ),
    },
  ],
}

const dateField = (name: string, doc: string): ConfigField =>
  textField(name, doc, {
    schema: z
      .string()
      .refine((text) => normalDate(text) !== '', 'Invalid date: write it like 2026-01-31 22:00:00Z')
      .describe(doc),
    normalize: (value) => (typeof value === 'string' ? normalDate(value) : value),
  })

const quietHours: ConfigSection = {
  name: 'quietHours',
  collection: 'quiet_hours',
  noun: 'time without notifications',
  key: ['user', 'system', 'type', 'start', 'end'],
  fields: [
    requiredReference('user', 'users', 'Email address of the user.'),
    optionalReference('system', 'systems', 'Name of the system; without it, all systems.'),
    { name: 'type', schema: z.enum(['one-time', 'daily']).describe('One period, or the same times of each day.') },
    dateField('start', 'Start, such as 2026-01-31 22:00:00Z. A daily window uses the time of day.'),
    dateField('end', 'End in the same form.'),
  ],
  mayRepeat: true,
  isExported: ({ user }) => user !== '',
}

/**
 * Returns the definition of a configuration file's field for a list of email or channel addresses. The list is stored as `member` (by
 * default the field's name) of the JSON object in the user's settings.
 */
const addressesField = (name: string, schema: ConfigField['schema'], member = name): ConfigField => ({
  name,
  recordField: member,
  schema,
  within: 'settings',
  isSetLater: true,
  read: ({ settings }) => (isJsonObject(settings) ? textsIn(ownValue(settings, member)) : []),
})

const channels: ConfigSection = {
  name: 'channels',
  collection: 'user_settings',
  noun: 'channels of',
  key: ['user'],
  fields: [
    requiredReference('user', 'users', 'Email address of the account that gets the notifications.'),
    addressesField('emails', z.array(z.string()).describe('Email addresses for notifications.').optional()),
    {
      ...addressesField('addresses', z.array(secretReference).describe('Addresses of chat services and webhooks.').optional(), 'webhooks'),
      isSecret: true,
    },
  ],
  isNeverDeleted: true,
}

/**
 * List of the sections of a configuration file in the order in which their records are created. A section refers only to records of earlier
 * ones.
 */
export const configSections: readonly ConfigSection[] = [
  users,
  groups,
  access,
  tagRules,
  systems,
  fieldSection,
  noteSection,
  alertRules,
  alertPolicySection,
  quietHours,
  channels,
  preferenceSection,
  viewSection,
]
