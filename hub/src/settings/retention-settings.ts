import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import type { Database, UnitOfWork } from '../platform/db/database.ts'
import { loadState, saveState } from '../platform/db/hub-state.ts'
import { standardRetention, type Retention } from '../history/store/retention.ts'
import { tiers, type Tier } from '../history/model/tier.ts'
import { isJsonObject, parseJson } from '../records/model/json-value.ts'
import { badRequest, type FieldError } from '../records/model/record-error.ts'

/** How long the history is kept, as the database has it. */
export type RetentionSettings = {
  readonly load: () => Promise<Retention>
  /** `along` is done in the same transaction. */
  readonly save: (retention: Retention, along: (unit: UnitOfWork) => Promise<void>) => Promise<void>
}

const STATE = 'retention'
const LEAST_DAYS = 2
const MOST_DAYS = 36_500
const LEAST_BYTES = 1_000_000

export function retentionSettings(database: Database): RetentionSettings {
  return {
    async load() {
      const text = await loadState(database.kysely, STATE)
      return text === undefined ? standardRetention : fromStored(parseJson(text))
    },
    async save(retention, along) {
      const value = JSON.stringify(retentionForm(retention))
      await database.write(async (unit) => {
        await along(unit)
        await saveState(unit.sql, STATE, value)
      })
    },
  }
}

/** As it is stored and sent: days by tier, and bytes or null. */
export const retentionForm = ({ days, mostBytes }: Retention): JsonObject => ({ days, mostBytes: mostBytes ?? null })

/** The retention after a change; what is not sent stays. Throws 400 with what is wrong by its name. */
export function changedRetention(current: Retention, body: JsonObject): Retention {
  const sent = body['days'] ?? {}
  const errors: Record<string, FieldError> = {}
  const days = { ...current.days }
  if (!isJsonObject(sent)) errors['days'] = wrong('Must be an object with days by tier.')
  else
    for (const [name, value] of Object.entries(sent)) {
      const tier = tiers.find((one) => one === name)
      if (tier === undefined) errors[`days.${name}`] = wrong(`Must be one of ${tiers.join(', ')}.`)
      else if (!isWhole(value, LEAST_DAYS, MOST_DAYS))
        errors[`days.${name}`] = wrong(`Must be a whole number from ${LEAST_DAYS} to ${MOST_DAYS}.`)
      else days[tier] = value
    }
  const { mostBytes = current.mostBytes ?? null } = body
  if (mostBytes !== null && !isWhole(mostBytes, LEAST_BYTES, Number.MAX_SAFE_INTEGER))
    errors['mostBytes'] = wrong(`Must be null or a whole number of at least ${LEAST_BYTES}.`)
  if (Object.keys(errors).length > 0) throw badRequest('Failed to save the retention.', errors)
  return { days, mostBytes: typeof mostBytes === 'number' ? mostBytes : undefined }
}

const wrong = (message: string): FieldError => ({ code: 'validation_invalid_value', message })

const isWhole = (value: Json | undefined, least: number, most: number): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most

function fromStored(stored: Json): Retention {
  const { days = {}, mostBytes = null } = isJsonObject(stored) ? stored : {}
  const of = (tier: Tier): number => {
    const value = isJsonObject(days) ? days[tier] : undefined
    return isWhole(value, LEAST_DAYS, MOST_DAYS) ? value : standardRetention.days[tier]
  }
  return {
    days: { '1m': of('1m'), '10m': of('10m'), '2h': of('2h') },
    mostBytes: isWhole(mostBytes, LEAST_BYTES, Number.MAX_SAFE_INTEGER) ? mostBytes : undefined,
  }
}
