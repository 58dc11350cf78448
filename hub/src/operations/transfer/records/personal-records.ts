import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import { AddressError, readAddress } from '../../../delivery/channels/address.ts'
import { kindOf, schemeOf } from '../../../delivery/channels/channels.ts'
import { isJsonObject } from '../../../platform/json.ts'
import { quietHours } from '../../../records/collections/quiet-hours.ts'
import { userSettings } from '../../../records/collections/user-settings.ts'
import { checkField } from '../../../records/model/field-check.ts'
import type { ForeignHub } from '../foreign-hub.ts'
import type { OwnerFacts } from './owned-row.ts'
import { fitRecord, idHere } from './rows/fit-record.ts'
import { foreignJson, foreignRows, foreignText } from './rows/foreign-rows.ts'
import { leftOut, present, type RowJudgement } from './rows/row-judgement.ts'

/**
 * Yields a decision (import it, already present, or leave it out) for each row of quiet hours of the imported hub. Those of a system that
 * this hub neither has nor imports are left out: without the system they would silence all systems.
 */
export function* judgeQuietHours(
  { database }: Pick<ForeignHub, 'database'>,
  { here, userOf, systemOf }: OwnerFacts,
): Generator<RowJudgement> {
  for (const row of foreignRows(database, 'quiet_hours')) {
    const id = idHere(quietHours, row)
    const example = `${foreignText(row, 'type')} ${foreignText(row, 'id')}`
    const [user, foreignSystem] = [userOf.get(foreignText(row, 'user')), foreignText(row, 'system')]
    const system = foreignSystem === '' ? '' : systemOf.get(foreignSystem)
    if (id === undefined) yield leftOut('they have no id', example)
    else if (here.has(quietHours, id)) yield present
    else if (user === undefined) yield leftOut('their user is not here', example)
    else if (system === undefined) yield leftOut('their system is not here', example)
    else {
      const { values, changes, problem } = fitRecord(quietHours, row, { user, system })
      if (problem !== undefined) yield leftOut(problem, example)
      else yield { decision: 'taken', record: { ...values, id }, changes: changes.map((reason) => ({ reason, example })) }
    }
  }
}

/**
 * Yields a decision (import them, already present, or leave them out) for the settings of each user of the imported hub. `userOf` maps its
 * user ids to those in this hub.
 */
export function* judgeUserSettings(
  { database }: Pick<ForeignHub, 'database'>,
  { here, userOf }: Pick<OwnerFacts, 'here' | 'userOf'>,
): Generator<RowJudgement> {
  const owners = new Set(here.settingsOwners)
  for (const row of foreignRows(database, 'user_settings')) {
    const id = idHere(userSettings, row)
    const example = foreignText(row, 'user')
    const user = userOf.get(example)
    if (id === undefined) yield leftOut('they have no id', example)
    else if (here.has(userSettings, id)) yield present
    else if (user === undefined) yield leftOut('their user is not here', example)
    else if (owners.has(user)) yield leftOut('the user has settings here', example)
    else {
      const reasons: string[] = []
      const settings = withPersonsHere(settingsOf(foreignJson(row, 'settings'), reasons), userOf, reasons)
      const { values, changes, problem } = fitRecord(userSettings, row, { user, settings })
      const isTooLarge = userSettings.fields.some((field) => field.name === 'settings' && checkField(field, settings) !== undefined)
      if (problem !== undefined || isTooLarge) {
        yield leftOut(problem ?? 'they are too large', example)
        continue
      }
      owners.add(user)
      yield { decision: 'taken', record: { ...values, id }, changes: [...changes, ...reasons].map((reason) => ({ reason, example })) }
    }
  }
}

/**
 * Returns a user's imported settings with `emails` and `webhooks` as lists of texts; `{}` if `stored` is no JSON object. It appends
 * sentences about changed or unusable parts to the list `reasons`, without any address.
 */
function settingsOf(stored: Json | undefined, reasons: string[]): JsonObject {
  if (stored === undefined || !isJsonObject(stored)) {
    if (stored !== null) reasons.push('"settings" was no JSON object and is empty now')
    return {}
  }
  const { emails, webhooks, ...others } = stored
  const addresses = textsIn('webhooks', webhooks, reasons)
  for (const address of addresses ?? []) {
    const scheme = schemeOf(address).toLowerCase().slice(0, 40)
    if (kindOf(address) === undefined) reasons.push(`this hub cannot deliver to a channel of the kind "${scheme}"`)
    else if (!isReadable(address)) reasons.push(`the address of a channel of the kind "${scheme}" cannot be read`)
  }
  const mails = textsIn('emails', emails, reasons)
  return { ...others, ...(mails === undefined ? {} : { emails: mails }), ...(addresses === undefined ? {} : { webhooks: addresses }) }
}

/**
 * Returns a user's imported settings with the users in the steps of the escalation replaced by those in this hub. Steps whose user is not
 * here are left out, and a reason is added to `reasons`.
 */
function withPersonsHere(settings: JsonObject, userOf: OwnerFacts['userOf'], reasons: string[]): JsonObject {
  const { escalation } = settings
  if (!Array.isArray(escalation)) return settings
  const steps = escalation.flatMap((step) => {
    if (!isJsonObject(step) || typeof step['person'] !== 'string') return [step]
    const person = userOf.get(step['person'])
    if (person === undefined) reasons.push('a step of the escalation names a user who is not here: it is left out')
    return person === undefined ? [] : [{ ...step, person }]
  })
  return { ...settings, escalation: steps }
}

function textsIn(name: string, list: Json | undefined, reasons: string[]): readonly string[] | undefined {
  if (list === undefined) return undefined
  const texts = (Array.isArray(list) ? list : [list]).filter((one) => typeof one === 'string')
  if (!Array.isArray(list) || texts.length < list.length) reasons.push(`"${name}" was no list of texts: only its texts are left`)
  return texts
}

/**
 * Placeholder (32 bytes) for the hub's Web Push key, used only to check imported channel addresses. Imported push subscriptions are bound
 * to the other hub's key and do not work here.
 */
const noKey = { privateKey: Buffer.alloc(32, 1), contact: '' }

function isReadable(address: string): boolean {
  try {
    kindOf(address)?.read(readAddress(address), noKey)
    return true
  } catch (error) {
    if (error instanceof AddressError) return false
    throw error
  }
}
