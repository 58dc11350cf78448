import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import type { PasskeyTable } from '../../platform/db/schema.ts'
import { parseJson } from '../../platform/json.ts'
import type { Log } from '../../platform/log.ts'
import { randomId } from '../../platform/secrets/random-id.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import { badRequest, type RecordError } from '../../records/model/record-error.ts'
import { challengesOf } from './challenges.ts'
import { keepOlderHubsOut, refuseBesideOlderHub } from './older-hubs.ts'
import type { RelyingParty } from './relying-party.ts'

const MOST_PASSKEYS = 20
const SIGN_IN = 'sign in'
const TIMEOUT_MS = 120_000
const registrationOf = (account: string): string => `register ${account}`

/** Passkey as shown to its owner. Times are epoch ms; `usedMs` is the time of the last sign-in with it, `undefined` for none. */
export type Passkey = { readonly id: string; readonly name: string; readonly createdMs: number; readonly usedMs: number | undefined }

/** Account for which a passkey is registered, with the email address and the hub's name, which the authenticator stores and shows. */
export type PasskeyOwner = { readonly account: string; readonly email: string; readonly hubName: string }

export type Passkeys = {
  /** Resolves to the list of the passkeys of an account (by id), oldest first. */
  readonly list: (account: string) => Promise<readonly Passkey[]>
  /**
   * Resolves to the options with which a browser creates a passkey (WebAuthn, in JSON), with a new challenge. Throws 400 while an older hub
   * without second factors runs.
   */
  readonly beginRegistration: (party: RelyingParty, owner: PasskeyOwner) => Promise<PublicKeyCredentialCreationOptionsJSON>
  /**
   * Verifies a browser's new passkey and stores it under a name. `along` runs in the same transaction. Throws 400 if it is invalid,
   * registered already, the account has 20, or an older hub without second factors runs.
   */
  readonly register: (party: RelyingParty, registration: Registration, along: (unit: UnitOfWork) => Promise<void>) => Promise<Passkey>
  /**
   * Resolves to the WebAuthn options (JSON) with which a browser signs in, with a new challenge. The browser may use any passkey that it
   * has for this hub.
   */
  readonly beginSignIn: (party: RelyingParty) => Promise<PublicKeyCredentialRequestOptionsJSON>
  /**
   * Verifies a browser's sign-in with a passkey whose device checked a PIN or fingerprint, and resolves to the account's id. Throws 400 if
   * it is invalid, was used already, or the passkey's signature counter did not increase, except if it is always 0.
   */
  readonly signIn: (party: RelyingParty, response: AuthenticationResponseJSON) => Promise<string>
  /**
   * Deletes a passkey of an account within a transaction. Resolves to the passkey's name; `undefined` if the account has no passkey with
   * this id.
   */
  readonly remove: (unit: UnitOfWork, account: string, id: string) => Promise<string | undefined>
}

export type Registration = { readonly account: string; readonly name: string; readonly response: RegistrationResponseJSON }

type PasskeyParts = {
  readonly database: Database
  readonly secrets: SecretBox
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
}

/** Creates the store of WebAuthn passkeys: functions that register, list, verify and remove them in the database. */
export function passkeysOf({ database, secrets, clock, log }: PasskeyParts): Passkeys {
  const challenges = challengesOf({ secrets, clock })
  const rowsOf = (account: string): Promise<PasskeyTable[]> =>
    database.kysely.selectFrom('passkeys').selectAll().where('account', '=', account).orderBy('created').orderBy('id').execute()

  /**
   * Calls `verification`, a WebAuthn check, and resolves to its result. If it rejects, logs the error with the name of the `step` and
   * throws a 400 error that reveals no reason.
   */
  async function verified<Result>(step: string, verification: () => Promise<Result>): Promise<Result> {
    try {
      return await verification()
    } catch (error) {
      log.warn('passkey refused', { step, error })
      throw refusedPasskey()
    }
  }

  return {
    list: async (account) => (await rowsOf(account)).map(passkeyOf),

    async beginRegistration({ id: rpID }, { account, email, hubName }) {
      await refuseBesideOlderHub(database)
      const known = await rowsOf(account)
      return generateRegistrationOptions({
        rpName: hubName,
        rpID,
        userName: email,
        userID: Uint8Array.from(Buffer.from(account)),
        challenge: Uint8Array.from(challenges.create(registrationOf(account))),
        timeout: TIMEOUT_MS,
        attestationType: 'none',
        excludeCredentials: known.map(({ credential, transports }) => ({ id: credential, transports: transportsIn(transports) })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
    },

    async register({ id: expectedRPID, origin: expectedOrigin }, { account, name, response }, along) {
      let challenge = ''
      const { registrationInfo } = await verified('registration', () =>
        verifyRegistrationResponse({
          response,
          expectedChallenge: (sent) => challenges.isGood(registrationOf(account), (challenge = sent)),
          expectedOrigin,
          expectedRPID,
          requireUserVerification: true,
        }),
      )
      if (registrationInfo === undefined) throw refusedPasskey()
      const { credential } = registrationInfo
      const row = {
        id: randomId(15),
        account,
        credential: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: JSON.stringify(transportsIn(JSON.stringify(credential.transports ?? []))),
        name,
        created: clock.now(),
        used: null,
      }
      await database.write(async (unit) => {
        await unit.alone(`passkeys ${account}`)
        const { count } = await unit.sql
          .selectFrom('passkeys')
          .select(({ fn }) => fn.countAll().as('count'))
          .where('account', '=', account)
          .executeTakeFirstOrThrow()
        if (Number(count) >= MOST_PASSKEYS) throw badRequest(`An account has at most ${MOST_PASSKEYS} passkeys. Remove one.`)
        if (!(await challenges.use(unit, challenge))) throw refusedPasskey()
        const { numInsertedOrUpdatedRows: inserted = 0n } = await unit.sql
          .insertInto('passkeys')
          .values(row)
          .onConflict((conflict) => conflict.column('credential').doNothing())
          .executeTakeFirst()
        if (inserted !== 1n) throw refusedPasskey()
        await keepOlderHubsOut(database, unit)
        await along(unit)
      })
      return passkeyOf(row)
    },

    beginSignIn: ({ id: rpID }) =>
      generateAuthenticationOptions({
        rpID,
        challenge: Uint8Array.from(challenges.create(SIGN_IN)),
        timeout: TIMEOUT_MS,
        userVerification: 'required',
      }),

    async signIn({ id: expectedRPID, origin: expectedOrigin }, response) {
      const row = await database.kysely.selectFrom('passkeys').selectAll().where('credential', '=', response.id).executeTakeFirst()
      if (row === undefined) throw refusedPasskey()
      const { userHandle } = response.response
      if (userHandle !== undefined && userHandle !== Buffer.from(row.account).toString('base64url')) throw refusedPasskey()
      let challenge = ''
      const { verified: isVerified, authenticationInfo } = await verified('sign-in', () =>
        verifyAuthenticationResponse({
          response,
          expectedChallenge: (sent) => challenges.isGood(SIGN_IN, (challenge = sent)),
          expectedOrigin,
          expectedRPID,
          credential: {
            id: row.credential,
            publicKey: Uint8Array.from(Buffer.from(row.publicKey, 'base64url')),
            counter: row.counter,
          },
          requireUserVerification: true,
        }),
      )
      if (!isVerified) throw refusedPasskey()
      await database.write(async (unit) => {
        if (!(await challenges.use(unit, challenge))) throw refusedPasskey()
        const { numUpdatedRows } = await unit.sql
          .updateTable('passkeys')
          .set({ counter: authenticationInfo.newCounter, used: clock.now() })
          .where('id', '=', row.id)
          .where('counter', '=', row.counter)
          .executeTakeFirst()
        if (numUpdatedRows !== 1n) throw refusedPasskey()
      })
      return row.account
    },

    async remove({ sql }, account, id) {
      const row = await sql.selectFrom('passkeys').select('name').where('account', '=', account).where('id', '=', id).executeTakeFirst()
      if (row === undefined) return undefined
      await sql.deleteFrom('passkeys').where('account', '=', account).where('id', '=', id).execute()
      return row.name
    },
  }
}

const passkeyOf = ({ id, name, created, used }: PasskeyTable): Passkey => ({ id, name, createdMs: created, usedMs: used ?? undefined })

const transportsSchema = z.array(z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])).catch([])

/**
 * Parses the JSON list of a passkey's transports (such as `usb` or `internal`) from the database. Returns an empty list for any other JSON,
 * also if a single item is unknown.
 */
const transportsIn = (json: string) => transportsSchema.parse(parseJson(json))

/** Returns the error 400 for an invalid passkey. It is the same for an unknown one, a used challenge and a wrong signature. */
export const refusedPasskey = (): RecordError => badRequest('The passkey was not accepted. Try again.')
