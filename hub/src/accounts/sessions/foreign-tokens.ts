import { z } from 'zod'
import type { Database } from '../../platform/db/database.ts'
import { loadState, saveState } from '../../platform/db/hub-state.ts'
import { parseJson } from '../../platform/json.ts'
import type { Clock } from '../../platform/clock.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import { asText, isAdmin, type StoredRecord } from '../../records/model/stored-record.ts'
import { isSignedWith, type TokenClaims } from './sessions.ts'

/**
 * Schema of the signing secrets of other hubs from which data was imported. With them, sessions from those hubs stay valid here until
 * `untilMs` (epoch ms).
 */
const foreignSecretsSchema = z.array(z.object({ secret: z.string().min(1), untilMs: z.number() }))
export type ForeignTokenSecret = Readonly<z.infer<typeof foreignSecretsSchema>[number]>

/**
 * Key in the table `hub_state` for the encrypted JSON list of the signing secrets of imported hubs. They verify session tokens from those
 * hubs, so that imported users stay signed in.
 */
const STATE = 'foreignTokenSecrets'
/** Maximum number of stored signing secrets, one for each hub from which data was imported: 5. Above it, the oldest are dropped. */
const MOST_SECRETS = 5

/** Id of the collection `users`, which is the same in every hub and is part of the claims of session tokens. */
const USERS = '_pb_users_auth_'

type Parts = { readonly database: Database; readonly secrets: Pick<SecretBox, 'seal' | 'open'> }

/** Loads the signing secrets of the hubs from which data was imported, decrypted. Resolves to an empty list if there are none. */
export async function loadForeignTokenSecrets({ database, secrets }: Parts): Promise<readonly ForeignTokenSecret[]> {
  const sealed = await loadState(database.kysely, STATE)
  return sealed === undefined ? [] : foreignSecretsSchema.parse(parseJson(secrets.open(STATE, sealed)))
}

/**
 * Stores the signing secret of a hub from which data was imported. A secret that is stored already keeps its end time, so that a second
 * import extends no session.
 */
export async function saveForeignTokenSecret({ database, secrets }: Parts, added: ForeignTokenSecret): Promise<void> {
  const stored = await loadForeignTokenSecrets({ database, secrets })
  if (stored.some(({ secret }) => secret === added.secret)) return
  const text = JSON.stringify([...stored, added].slice(-MOST_SECRETS))
  await database.write((unit) => saveState(unit.sql, STATE, secrets.seal(STATE, text)))
}

/**
 * Unexpired session token of a request with its claims, and the account that the claims name. The caller must still verify the signature.
 */
type UnverifiedToken = { readonly token: string; readonly claims: TokenClaims; readonly account: StoredRecord }

/**
 * Creates an async function that resolves to true for a session token that an imported hub signed for one of its users. It refuses tokens
 * of unverified accounts, and of admins, because the account may have had fewer rights there.
 */
export function foreignTokenCheck({ database, secrets, clock }: Parts & { readonly clock: Clock }) {
  // The secrets cannot change while a hub runs, because it restarts after an import.
  let loading: ReturnType<typeof loadForeignTokenSecrets> | undefined
  const load = () =>
    (loading ??= loadForeignTokenSecrets({ database, secrets }).catch((error: unknown) => {
      loading = undefined
      throw error
    }))
  return async ({ token, claims, account }: UnverifiedToken): Promise<boolean> => {
    if (claims.type !== 'auth' || claims.collectionId !== USERS || isAdmin(account) || account['verified'] !== true) return false
    const now = clock.now()
    const usable = (await load()).filter(({ untilMs }) => now < untilMs && claims.exp * 1000 <= untilMs)
    return usable.some(({ secret }) => isSignedWith(token, asText(account['tokenKey'] ?? '') + secret))
  }
}
