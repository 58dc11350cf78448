import { z } from 'zod'
import type { Collection } from '../../records/model/collection.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { asText } from '../../records/model/record-row.ts'
import type { StoredRecord } from '../../records/model/stored-record.ts'
import { isSignedWith, readJson, signJson } from '../sessions/token.ts'

/** What a mailed link is good for. */
export type MailedKind = 'passwordReset' | 'verification' | 'emailChange'

/** How long, in seconds: half an hour for what gives the account away, a day to prove an address. */
export const mailedSeconds: Readonly<Record<MailedKind, number>> = { passwordReset: 1800, verification: 86_400, emailChange: 1800 }

const claimsSchema = z.object({
  type: z.enum(['passwordReset', 'verification', 'emailChange']),
  id: z.string().min(1),
  collectionId: z.string(),
  email: z.string(),
  newEmail: z.string().optional(),
  exp: z.number(),
})

export type MailedClaims = z.infer<typeof claimsSchema>

export type MailedTokens = {
  readonly make: (
    kind: MailedKind,
    to: { readonly collection: Collection; readonly account: StoredRecord; readonly newEmail?: string },
  ) => string
  /** What a text says that may be such a token; believed by nobody yet. */
  readonly read: (token: string) => MailedClaims | undefined
  /** Whether it was made here for the account as it is now, and is still good. */
  readonly isGood: (token: string, claims: MailedClaims, account: StoredRecord) => boolean
}

/**
 * Tokens in mailed links. Each is bound to the account's own key, which changes with its password and its address, and a
 * proof of an address to the address not being proved yet: whatever a link does makes it, and all before it, worthless.
 */
export function mailedTokens({ secrets, clock }: Pick<Engine, 'secrets' | 'clock'>): MailedTokens {
  const purpose = secrets.derive('mailed tokens').toString('base64url')
  const keyOf = (kind: MailedKind, account: StoredRecord): string =>
    [asText(account['tokenKey'] ?? ''), purpose, kind === 'verification' ? JSON.stringify(account['verified']) : ''].join('\n')
  return {
    make(kind, { collection, account, newEmail }) {
      const claims: MailedClaims = {
        type: kind,
        id: account.id,
        collectionId: collection.id,
        email: asText(account['email'] ?? ''),
        ...(newEmail === undefined ? {} : { newEmail }),
        exp: Math.floor(clock.now() / 1000) + mailedSeconds[kind],
      }
      return signJson(claims, keyOf(kind, account))
    },
    read: (token) => claimsSchema.safeParse(readJson(token)).data,
    isGood: (token, claims, account) =>
      claims.exp * 1000 > clock.now() &&
      claims.id === account.id &&
      claims.email === account['email'] &&
      isSignedWith(token, keyOf(claims.type, account)),
  }
}
