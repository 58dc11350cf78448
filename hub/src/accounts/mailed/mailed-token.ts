import { z } from 'zod'
import type { Collection } from '../../records/model/collection.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { asText, type StoredRecord } from '../../records/model/stored-record.ts'
import { isSignedWith, readJson, signJson } from '../sessions/sessions.ts'

/** Name of the purpose of a link in an email: reset the password, verify the address, or confirm a new address. */
export type MailedKind = 'passwordReset' | 'verification' | 'emailChange'

/**
 * Map from kind of link to its lifetime in seconds. It is 30 minutes for links that give access to the account, 1 day to verify an address.
 */
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
  /**
   * Reads the claims of the token in an emailed link without verifying it; `undefined` if it is malformed. With them, load the account and
   * then call `isGood`.
   */
  readonly read: (token: string) => MailedClaims | undefined
  /**
   * Returns true if this hub made the token of an emailed link for the account and the token has not expired. False once the account's
   * password or email address has changed or all its sessions were ended; for a verification also once the address is verified.
   */
  readonly isGood: (token: string, claims: MailedClaims, account: StoredRecord) => boolean
}

/**
 * Creates the functions that make and check tokens of links in emails. Tokens are signed with a key of the account that changes with the
 * password and email address, so a used link is invalid.
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
