import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import type { Clock } from '../../platform/clock.ts'
import type { AttemptCounts, CountLimit } from '../../platform/limits/attempt-counts.ts'
import { TooManyError } from '../../platform/http/http-error.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import { badRequest, type RecordError } from '../../records/model/record-error.ts'
import { keepOlderHubsOut, refuseBesideOlderHub } from './older-hubs.ts'
import { createRecoveryCodes, normalCode } from './recovery-codes.ts'
import { createTotpSecret, isTotpCode, matchingStep, totpUri } from './totp.ts'

const SECRET_PLACE = 'authenticator_apps.secret'
const CODE_PLACE = 'recovery_codes.digest'
/**
 * Time in ms (15 min) within which a person must confirm a new authenticator app with its first code. Later codes are rejected with 400.
 */
const SETUP_MS = 900_000
/**
 * Rate limits for guesses of one account's 6-digit codes (authenticator app), from all clients together: 10 in 15 min and 50 a day. A right
 * code resets them; recovery codes are not limited by them.
 */
const codeLimits: readonly CountLimit[] = [
  { name: 'second factor', most: 10, windowMs: 900_000 },
  { name: 'second factor a day', most: 50, windowMs: 86_400_000 },
]

/** State of an account's authenticator app: whether it is on, and the number of unused recovery codes. */
export type AppState = { readonly isOn: boolean; readonly recoveryCodes: number }

/**
 * Secret of a new authenticator app (TOTP) as base32 text, and the `otpauth:` URI to show as a QR code. The hub returns both only once,
 * when it creates the secret.
 */
export type NewApp = { readonly secret: string; readonly uri: string }

export type AuthenticatorApps = {
  readonly stateOf: (account: string) => Promise<AppState>
  /**
   * Creates a TOTP secret that must be confirmed by a code within 15 min, and resolves to it. It replaces an unconfirmed one. Throws 400 if
   * the account has an authenticator app, or while an older hub runs that does not check second factors.
   */
  readonly begin: (account: string, label: { readonly issuer: string; readonly account: string }) => Promise<NewApp>
  /**
   * Turns on the unconfirmed authenticator app if `code` fits its secret, and returns 10 recovery codes. `along` runs in the same
   * transaction. Throws 400 for a wrong code, without an unconfirmed secret and beside an older hub; 429 after too many codes.
   */
  readonly confirm: (account: string, code: string, along: AlongWith) => Promise<readonly string[]>
  /**
   * Uses a code of the authenticator app or a recovery code; each works once on all hubs. `along` runs in the same transaction, whose
   * failure leaves the code unused. Throws 400 for a wrong or used code and for an account without an app that is on, 429 after too many
   * codes.
   */
  readonly useCode: <Result>(account: string, code: string, along: (unit: UnitOfWork) => Promise<Result>) => Promise<Result>
  /** Replaces all recovery codes of an account within a transaction, and resolves to the new ones. */
  readonly renewCodes: (unit: UnitOfWork, account: string) => Promise<readonly string[]>
}

/**
 * Function that runs in the transaction in which an authenticator app changes, such as to write the audit log. If it rejects, the change is
 * undone.
 */
type AlongWith = (unit: UnitOfWork) => Promise<void>

type AppParts = { readonly database: Database; readonly secrets: SecretBox; readonly clock: Clock; readonly counts: AttemptCounts }

/** Creates the store of authenticator apps (TOTP, RFC 6238) and recovery codes. Secrets are encrypted, recovery codes are digests. */
export function authenticatorApps({ database, secrets, clock, counts }: AppParts): AuthenticatorApps {
  const digestOf = (account: string, code: string): string => secrets.digest(CODE_PLACE, `${account} ${code}`)

  /**
   * Runs `work` in a transaction and resolves to its result. A 6-digit `code` first counts as a guess for the account: throws 429 above the
   * limit, and success resets the count. Recovery codes do not count.
   */
  async function counted<Result>(account: string, code: string, work: (unit: UnitOfWork) => Promise<Result>): Promise<Result> {
    const guesses = isTotpCode(code) ? codeLimits.map((limit) => ({ limit, key: account })) : []
    const waitSeconds = await counts.admit(guesses)
    if (waitSeconds !== undefined) throw new TooManyError(waitSeconds)
    const result = await database.write(work)
    for (const guess of guesses) await counts.reset(guess)
    return result
  }

  async function redeem({ sql }: UnitOfWork, account: string, code: string): Promise<boolean> {
    const app = await sql.selectFrom('authenticator_apps').selectAll().where('account', '=', account).executeTakeFirst()
    if (app?.active !== 1) return false
    if (!isTotpCode(code)) {
      const { numDeletedRows } = await sql
        .deleteFrom('recovery_codes')
        .where('account', '=', account)
        .where('digest', '=', digestOf(account, code))
        .executeTakeFirst()
      return numDeletedRows === 1n
    }
    const step = matchingStep(secrets.open(SECRET_PLACE, app.secret), code, clock.now())
    if (step === undefined) return false
    // The condition decides between requests at the same time, also on different hubs: the second one updates no row.
    const { numUpdatedRows } = await sql
      .updateTable('authenticator_apps')
      .set({ step })
      .where('account', '=', account)
      .where('secret', '=', app.secret)
      .where('step', '<', step)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  }

  const renewCodes: AuthenticatorApps['renewCodes'] = async ({ sql }, account) => {
    const codes = createRecoveryCodes()
    await sql.deleteFrom('recovery_codes').where('account', '=', account).execute()
    await sql
      .insertInto('recovery_codes')
      .values(codes.map((code) => ({ account, digest: digestOf(account, normalCode(code)) })))
      .execute()
    return codes
  }

  return {
    renewCodes,

    async stateOf(account) {
      const app = await database.kysely.selectFrom('authenticator_apps').select('active').where('account', '=', account).executeTakeFirst()
      if (app?.active !== 1) return { isOn: false, recoveryCodes: 0 }
      const { count } = await database.kysely
        .selectFrom('recovery_codes')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('account', '=', account)
        .executeTakeFirstOrThrow()
      return { isOn: true, recoveryCodes: Number(count) }
    },

    async begin(account, label) {
      await refuseBesideOlderHub(database)
      const secret = createTotpSecret()
      const row = { secret: secrets.seal(SECRET_PLACE, secret), active: 0, step: 0, created: clock.now() }
      await database.write(async ({ sql }) => {
        await sql.deleteFrom('authenticator_apps').where('account', '=', account).where('active', '=', 0).execute()
        const { numInsertedOrUpdatedRows: inserted = 0n } = await sql
          .insertInto('authenticator_apps')
          .values({ account, ...row })
          .onConflict((conflict) => conflict.column('account').doNothing())
          .executeTakeFirst()
        if (inserted === 0n) throw badRequest('This account has an authenticator app. Turn it off first.')
      })
      return { secret, uri: totpUri(secret, label) }
    },

    confirm(account, sent, along) {
      const code = normalCode(sent)
      return counted(account, code, async (unit) => {
        const app = await unit.sql
          .selectFrom('authenticator_apps')
          .selectAll()
          .where('account', '=', account)
          .where('active', '=', 0)
          .executeTakeFirst()
        const ageMs = app === undefined ? Number.NaN : clock.now() - app.created
        if (app === undefined || !(Math.abs(ageMs) <= SETUP_MS)) throw badRequest('The set-up took too long. Begin again.')
        const step = matchingStep(secrets.open(SECRET_PLACE, app.secret), code, clock.now())
        if (step === undefined) throw wrongCode()
        const { numUpdatedRows } = await unit.sql
          .updateTable('authenticator_apps')
          .set({ active: 1, step })
          .where('account', '=', account)
          .where('active', '=', 0)
          .where('secret', '=', app.secret)
          .executeTakeFirst()
        if (numUpdatedRows !== 1n) throw wrongCode()
        await keepOlderHubsOut(database, unit)
        await along(unit)
        return renewCodes(unit, account)
      })
    },

    useCode(account, sent, along) {
      const code = normalCode(sent)
      return counted(account, code, async (unit) => {
        if (!(await redeem(unit, account, code))) throw wrongCode()
        return along(unit)
      })
    },
  }
}

/** Returns the 400 error for a code of an authenticator app that is wrong, was used already or has expired. */
const wrongCode = (): RecordError =>
  badRequest('The code is wrong or was used already.', {
    code: { code: 'validation_invalid_code', message: 'The code is wrong or was used already.' },
  })
