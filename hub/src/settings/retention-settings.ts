import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import { z } from 'zod'
import type { Database, UnitOfWork } from '../platform/db/database.ts'
import { loadState, saveFields } from '../platform/db/hub-state.ts'
import { standardRetention, type Retention } from '../history/store/retention.ts'
import { tiers } from '../history/model/tier.ts'
import { isJsonObject, parseJson } from '../platform/json.ts'
import { checkedValue, fieldErrorsOf, invalid, isWhole, wholeNumberBetween } from '../records/model/field-errors.ts'
import { badRequest } from '../records/model/record-error.ts'
import { readStored } from './settings-fields.ts'

/** Functions that load and save the retention settings: for how many days, and up to how many bytes, the history is stored. */
export type RetentionSettings = {
  readonly load: () => Promise<Retention>
  /** Stores the retention settings. The function `along` runs in the same transaction, for example to write the audit log. */
  readonly save: (retention: Retention, along: (unit: UnitOfWork) => Promise<void>) => Promise<void>
}

const STATE = 'retention'
const LEAST_DAYS = 2
const MOST_DAYS = 36_500
const LEAST_BYTES = 1_000_000

const ofTier = wholeNumberBetween(LEAST_DAYS, MOST_DAYS)
const allDays = z.object({ '1m': ofTier, '10m': ofTier, '2h': ofTier }, 'Must be an object with days by tier.')
const sentDays = allDays.catchall(checkedValue<never>(() => invalid(`Must be one of ${tiers.join(', ')}.`)))
const bytes = checkedValue<number | null>((value) =>
  value === null || isWhole(value, LEAST_BYTES, Number.MAX_SAFE_INTEGER)
    ? undefined
    : invalid(`Must be null or a whole number of at least ${LEAST_BYTES}.`),
)

export function retentionSettings(database: Database): RetentionSettings {
  return {
    async load() {
      const text = await loadState(database.kysely, STATE)
      return text === undefined ? standardRetention : fromStored(parseJson(text))
    },
    async save(retention, along) {
      await database.write(async (unit) => {
        await along(unit)
        await saveFields(unit.sql, STATE, retentionForm(retention))
      })
    },
  }
}

/**
 * Converts the retention settings to the JSON object that is stored and sent: `days` by tier (such as `10m`), and `mostBytes`, null without
 * a limit.
 */
export const retentionForm = ({ days, mostBytes }: Retention) => ({ days, mostBytes: mostBytes ?? null })

/**
 * Applies a request body to the retention settings of the history and returns the result; fields that the body lacks stay. Throws 400 with
 * errors by field name, such as `days.10m`.
 */
export function changedRetention(current: Retention, body: JsonObject): Retention {
  const { days = {}, mostBytes = current.mostBytes ?? null } = body
  const form = z.object({ days: sentDays, mostBytes: bytes })
  const parsed = form.safeParse({ days: isJsonObject(days) ? { ...current.days, ...days } : days, mostBytes })
  if (!parsed.success) {
    const named = parsed.error.issues.map((issue) => ({ ...issue, path: [issue.path.join('.')] }))
    throw badRequest('Failed to save the retention.', fieldErrorsOf(new z.ZodError(named)))
  }
  return { days: parsed.data.days, mostBytes: parsed.data.mostBytes ?? undefined }
}

function fromStored(stored: Json): Retention {
  const { days, mostBytes } = isJsonObject(stored) ? stored : {}
  return { days: readStored(allDays, standardRetention.days, days), mostBytes: bytes.safeParse(mostBytes).data ?? undefined }
}
