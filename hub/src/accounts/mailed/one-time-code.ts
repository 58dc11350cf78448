import { randomInt, timingSafeEqual } from 'node:crypto'
import type { Collection } from '../../records/model/collection.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { badRequest, RecordError } from '../../records/model/record-error.ts'
import { asText } from '../../records/model/record-row.ts'
import { textOf, type StoredRecord } from '../../records/model/stored-record.ts'
import { isOlder } from '../sessions/proofs.ts'

const PLACE = '_otps.password'
/** Guesses at one code: with the next it is worth nothing. */
const MOST_TRIES = 5
const MOST_REMEMBERED = 10_000

type Sent = { readonly otpId: string; readonly collection: Collection; readonly account: StoredRecord; readonly length: number }
type Shown = { readonly otpId: string; readonly code: string; readonly collection: Collection; readonly lifetimeSeconds: number }

export type OneTimeCodes = {
  /** A new code under an id that was given away before; an earlier one under it is worth nothing any more. */
  readonly make: (sent: Sent) => Promise<string>
  /** Whose code this is; it is used up. Throws 400 for any other, 429 after too many guesses. */
  readonly use: (shown: Shown) => Promise<StoredRecord>
}

/** Codes of digits, good for a few minutes, once. What is stored tells nothing of them without the hub's key. */
export function oneTimeCodes(engine: Engine): OneTimeCodes {
  const { database, store, secrets, clock } = engine
  const guesses = new Map<string, number>()
  const digestOf = (otpId: string, code: string): string => secrets.digest(PLACE, `${otpId} ${code}`)

  /** One more guess at a code. Throws 429 when there were enough. */
  function guess(otpId: string): void {
    const made = (guesses.get(otpId) ?? 0) + 1
    guesses.delete(otpId)
    guesses.set(otpId, made)
    const [oldest] = guesses.keys()
    if (guesses.size > MOST_REMEMBERED && oldest !== undefined) guesses.delete(oldest)
    if (made > MOST_TRIES) throw new RecordError(429, 'Too many attempts, please try again later with a new OTP.')
  }

  const isRight = (otp: StoredRecord, { otpId, code, collection, lifetimeSeconds }: Shown): boolean =>
    equal(digestOf(otpId, code), textOf(otp, 'password')) &&
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
      if (known !== undefined) guess(otpId)
      return database.write(async (unit) => {
        const otp = await store.loadToChange('_otps', otpId, unit)
        if (otp === undefined || !isRight(otp, { otpId, code, collection, lifetimeSeconds })) throw wrongCode()
        const account = await store.loadToChange('users', textOf(otp, 'recordRef'), unit)
        if (account === undefined) throw wrongCode()
        await store.remove(unit, '_otps', otpId)
        // Who reads what is sent to an address has it.
        if (account['verified'] === true || otp['sentTo'] !== account['email']) return account
        return (await store.update(unit, 'users', account.id, { verified: true })) ?? account
      })
    },
  }
}

const wrongCode = (): RecordError => badRequest('Invalid or expired OTP.')

function equal(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
