import { z } from 'zod'
import { saveForeignTokenSecret } from '../../../accounts/sessions/foreign-tokens.ts'
import { parseJson } from '../../../platform/json.ts'
import type { ForeignHub, TransferPlan, TransferTarget } from '../foreign-hub.ts'

/**
 * Maximum time in seconds (31 days), after an import, for which this hub accepts session tokens of the imported hub. The longest known
 * sessions of that hub last 14 days.
 */
const MOST_SECONDS = 31 * 86_400

const optionsSchema = z.object({
  authToken: z.object({ secret: z.string().min(1).max(1000), duration: z.number().positive() }),
})

/**
 * Plans to accept the imported hub's session tokens for users (not for superusers), so that they need not sign in again. The plan stores
 * the secret that signed the tokens; without a readable secret it does nothing.
 */
export function planSessions({ database }: Pick<ForeignHub, 'database'>, { database: own, secrets, clock }: TransferTarget): TransferPlan {
  const options = readOptions(database)
  return {
    lines: [],
    rows: 1,
    bytes: 0,
    async write(progress, signal) {
      signal.throwIfAborted()
      if (options !== undefined) {
        const { secret, duration } = options.authToken
        await saveForeignTokenSecret({ database: own, secrets }, { secret, untilMs: clock.now() + Math.min(duration, MOST_SECONDS) * 1000 })
      }
      progress(1)
    },
  }
}

function readOptions(database: ForeignHub['database']): z.infer<typeof optionsSchema> | undefined {
  const row = database.prepare("select cast(options as text) as options from _collections where name = 'users'").get()
  try {
    return optionsSchema.safeParse(parseJson(String(row?.['options']))).data
  } catch {
    // The column is not JSON: the users sign in again.
    return undefined
  }
}
