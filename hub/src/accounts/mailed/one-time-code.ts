import { randomInt } from 'node:crypto'
import type { AttemptCounts, CountLimit } from '../../platform/limits/attempt-counts.ts'
import { isSameSecret } from '../../platform/secrets/same-secret.ts'
import type { Collection } from '../../records/model/collection.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { badRequest, RecordError } from '../../records/model/record-error.ts'
import { asText, type StoredRecord, textOf } from '../../records/model/stored-record.ts'
import { isOlder } from '../sessions/proofs.ts'

const PLACE = '_otps.password'
/** Rate limit for guesses of a single emailed one-time code: at most 5. The time window of 2 days is longer than any code is valid. */
const codeAttempts: CountLimit = { name: 'one-time code', most: 5, windowMs: 2 * 86_400_000 }

type SentCode = { readonly otpId: string; readonly collection: Collection; readonly account: StoredRecord; readonly length: number }
type IssuedCode = { readonly otpId: string; readonly code: string; readonly collection: Collection; readonly lifetimeSeconds: number }

export type OneTimeCodes = {
  /**
   * Creates an emailed one-time code and resolves to its digits. The client has already received the code's id (`otpId`) in a response; an
   * earlier code with this id is replaced.
   */
  readonly make: (sent: SentCode) => Promise<string>
  /**
   * Redeems a one-time code and resolves to the account for which it was made. A code works once. If the code was sent to the account's
   * present email address, marks that address as verified. Throws 400 for a wrong or expired code, 429 after too many attempts at a known
   * id.
   */
  readonly use: (issued: IssuedCode) => Promise<StoredRecord>
}

/**
 * Creates the functions that make and redeem one-time codes, which are numeric and valid as long as the sign-in settings say. The database
 * holds only digests keyed with the hub's secret.
 */
export function oneTimeCodes(engine: Engine, counts: AttemptCounts): OneTimeCodes {
  const { database, store, secrets, clock } = engine
  const digestOf = (otpId: string, code: string): string => secrets.digest(PLACE, `${otpId} ${code}`)

  /**
   * Counts an attempt to enter the emailed one-time code with the id `otpId`, before the code is checked. Throws 429 from the 6th attempt
   * on.
   */
  async function guess(otpId: string): Promise<void> {
    if ((await counts.admit([{ limit: codeAttempts, key: otpId }])) === undefined) return
    throw new RecordError(429, 'Too many attempts, please try again later with a new OTP.')
  }

  const isRight = (otp: StoredRecord, { otpId, code, collection, lifetimeSeconds }: IssuedCode): boolean =>
    isSameSecret(digestOf(otpId, code), textOf(otp, 'password')) &&
    otp['collectionRef'] === collection.id &&
    !isOlder(otp, lifetimeSeconds, clock.now())

  return {
    async make({ otpId, collection, account, length }) {
      const code = Array.from({ length }, () => String(randomInt(10))).join('')
      await database.write(async (unit) => {
        await store.remove(unit, '_otps', otpId)
        await store.insert(unit, '_otps', {
          id: otpId,
          collectionRef: collection.id,
          recordRef: account.id,
          password: digestOf(otpId, code),
          sentTo: asText(account['email'] ?? ''),
        })
      })
      return code
    },

    async use({ otpId, code, collection, lifetimeSeconds }) {
      const known = await store.load('_otps', otpId)
      if (known !== undefined) await guess(otpId)
      return database.write(async (unit) => {
        const otp = await store.loadToChange('_otps', otpId, unit)
        if (otp === undefined || !isRight(otp, { otpId, code, collection, lifetimeSeconds })) throw wrongCode()
        const account = await store.loadToChange('users', textOf(otp, 'recordRef'), unit)
        if (account === undefined) throw wrongCode()
        await store.remove(unit, '_otps', otpId)
        // The code was sent to this address, so its owner has proved it.
        if (account['verified'] === true || otp['sentTo'] !== account['email']) return account
        return (await store.update(unit, 'users', account.id, { verified: true })) ?? account
      })
    },
  }
}

const wrongCode = (): RecordError => badRequest('Invalid or expired OTP.')
