import { randomBytes } from 'node:crypto'
import type { Clock } from '../../platform/clock.ts'
import type { UnitOfWork } from '../../platform/db/database.ts'
import { isSameSecret } from '../../platform/secrets/same-secret.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'

const PLACE = 'passkey challenge'
const NONCE_BYTES = 16
const TIME_BYTES = 6
/** Lifetime of a WebAuthn challenge in ms: 5 min. The browser must respond with it in that time. */
const LIFETIME_MS = 300_000
/**
 * Largest accepted clock difference between two hubs of one database, in ms (5,000). A WebAuthn challenge whose time is further in the
 * future is refused.
 */
const MOST_STEP_MS = 5000

export type Challenges = {
  /**
   * Creates the bytes of a WebAuthn challenge for a purpose, such as `sign in`. It is signed and not stored, so that guests cannot fill the
   * database.
   */
  readonly create: (purpose: string) => Buffer
  /** Returns true if a hub of this database created the challenge (base64url) for the purpose in the last 5 minutes. */
  readonly isGood: (purpose: string, challenge: string) => boolean
  /** Marks a WebAuthn challenge (base64url) as used, in the transaction `unit`. Resolves to false if it was used before, on any hub. */
  readonly use: (unit: UnitOfWork, challenge: string) => Promise<boolean>
}

/** Creates the functions that make WebAuthn challenges and let each be used once. The database holds only used challenges. */
export function challengesOf({ secrets, clock }: { readonly secrets: SecretBox; readonly clock: Clock }): Challenges {
  const signatureOf = (purpose: string, content: Buffer): string => secrets.digest(PLACE, `${purpose} ${content.toString('base64url')}`)
  return {
    create(purpose) {
      const time = Buffer.alloc(TIME_BYTES)
      time.writeUIntBE(clock.now(), 0, TIME_BYTES)
      const content = Buffer.concat([randomBytes(NONCE_BYTES), time])
      return Buffer.concat([content, Buffer.from(signatureOf(purpose, content), 'base64url')])
    },

    isGood(purpose, challenge) {
      const bytes = Buffer.from(challenge, 'base64url')
      // Decoders accept several texts for the same bytes; only one of them may be used.
      if (bytes.length <= NONCE_BYTES + TIME_BYTES || bytes.toString('base64url') !== challenge) return false
      const content = bytes.subarray(0, NONCE_BYTES + TIME_BYTES)
      const ageMs = clock.now() - content.readUIntBE(NONCE_BYTES, TIME_BYTES)
      const isSigned = isSameSecret(bytes.subarray(content.length).toString('base64url'), signatureOf(purpose, content))
      return isSigned && ageMs >= -MOST_STEP_MS && ageMs <= LIFETIME_MS
    },

    async use({ sql }, challenge) {
      const { numInsertedOrUpdatedRows: inserted = 0n } = await sql
        .insertInto('used_challenges')
        .values({ digest: secrets.digest(PLACE, challenge), until: clock.now() + LIFETIME_MS + MOST_STEP_MS })
        .onConflict((conflict) => conflict.column('digest').doNothing())
        .executeTakeFirst()
      return inserted === 1n
    },
  }
}
