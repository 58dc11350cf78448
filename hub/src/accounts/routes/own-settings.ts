import { z } from 'zod'
import {
  addQuietHours,
  changeOwnSettings,
  changeQuietZone,
  listQuietHours,
  shownQuietHours,
} from '../../alerts/notifications/own-quiet-hours.ts'
import { loadPersonSettings, parseSettingsChange } from '../../alerts/notifications/person-settings.ts'
import { factsOf } from '../../http/requests/request-context.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import { fields, sentFields, typedObject } from '../../http/routing/field-schemas.ts'
import type { Engine } from '../../records/engine/engine.ts'

type OwnSettingsParts = { readonly engine: Engine }

const settingsSchema = z.object({ settings: typedObject() })

/** Route that returns the signed-in user's own settings. The records API, in contrast, returns the settings of all users to admins. */
const readOwnSettings = defineRoute('GET /api/account/settings', {
  tag: 'sign-in',
  summary: "The caller's own settings",
  access: 'person',
  response: settingsSchema,
  handle: async ({ actor }, { engine }: OwnSettingsParts) => ({ settings: await loadPersonSettings(engine, actor.id) }),
})

const changeSettings = defineRoute('PATCH /api/account/settings', {
  tag: 'sign-in',
  summary: "Merges into the caller's own settings; adds and removes single notification addresses",
  access: 'person',
  body: fields(sentFields({ merge: 'object', add: 'object', remove: 'object' })),
  response: settingsSchema,
  async handle({ actor, body }, { engine }: OwnSettingsParts) {
    return { settings: await changeOwnSettings(engine, actor.id, parseSettingsChange(await body())) }
  },
})

const readQuietHours = defineRoute('GET /api/account/quiet-hours', {
  tag: 'alerts',
  summary: "The caller's own quiet hours and their time zone",
  access: 'person',
  response: shownQuietHours,
  handle: ({ actor }, { engine }: OwnSettingsParts) => listQuietHours(engine, actor.id),
})

const addOwnQuietHours = defineRoute('POST /api/account/quiet-hours', {
  tag: 'alerts',
  summary: 'Adds quiet hours; 409 if another time zone is in force',
  access: 'person',
  body: fields(sentFields({ zone: 'string', type: 'string', system: 'string', start: 'string', end: 'string' })),
  response: shownQuietHours,
  handle: async ({ c, actor, body }, { engine }: OwnSettingsParts) => addQuietHours(engine, actor.id, factsOf(c), await body()),
})

const moveQuietHours = defineRoute('PATCH /api/account/quiet-hours', {
  tag: 'alerts',
  summary: 'Moves daily quiet hours to another time zone, at the same times of day; 409 if `was` is no longer in force',
  access: 'person',
  body: fields(sentFields({ zone: 'string', was: 'string' })),
  response: shownQuietHours,
  handle: async ({ actor, body }, { engine }: OwnSettingsParts) => changeQuietZone(engine, actor.id, await body()),
})

/**
 * List of the routes by which users read and change their own settings and quiet hours. A change of settings keeps those that another
 * browser has stored meanwhile.
 */
export const ownSettingsRoutes = [readOwnSettings, changeSettings, readQuietHours, addOwnQuietHours, moveQuietHours]
