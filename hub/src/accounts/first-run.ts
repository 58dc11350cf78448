import { sql } from 'kysely'
import { randomBytes } from 'node:crypto'
import type { UnitOfWork } from '../platform/db/database.ts'
import { isSameSecret } from '../platform/secrets/same-secret.ts'
import type { Engine } from '../records/engine/engine.ts'
import { blank, isEmail } from '../records/model/field-check.ts'
import { badRequest, type FieldErrors, RecordError } from '../records/model/record-error.ts'
import type { RecordStore } from '../records/model/record-store.ts'
import { noteInAudit } from '../records/writing/audit-log.ts'
import { checkPassword } from '../records/writing/new-password.ts'

export type FirstAdmin = {
  readonly email: string
  readonly password: string
  /**
   * Setup code as the person entered it; it must equal the code that the hub printed at its start, apart from case, spaces and hyphens.
   * `not needed` skips the check, for the command line and requests from this machine.
   */
  readonly setupCode: string
}

export type FirstRun = {
  /** Resolves to true while the hub has no users. Only then can `createAdmin` create the first admin. */
  readonly isOpen: () => Promise<boolean>
  /**
   * Setup code that the hub prints at its start, and that the operator must enter to create the first admin from another machine. It
   * becomes invalid when the first user exists.
   */
  readonly setupCode: string
  /**
   * Creates the first admin. Throws 403 if a user exists or the setup code is wrong, 400 with field errors for an invalid email address or
   * password. Only one of several concurrent calls succeeds.
   */
  readonly createAdmin: (admin: FirstAdmin) => Promise<void>
}

/**
 * Name (`first user`) of the database lock that is held while the first admin is created, and while a system without an owner registers.
 */
export const FIRST_USER = 'first user'

/**
 * Text with all characters of a setup code: upper-case letters and digits that are not easily confused. It lacks `I`, `L`, `O`, `0` and
 * `1`.
 */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const CODE_LENGTH = 12

/**
 * Creates the functions that report whether the hub has no users yet, and create its first admin. With `isShared`, all hubs of one database
 * have the same setup code, derived from their secret key; else it is random.
 */
export function firstRunOf(engine: Engine, { isShared = false }: { readonly isShared?: boolean } = {}): FirstRun {
  const setupCode = codeOf(isShared ? engine.secrets.derive('set-up code') : randomBytes(CODE_LENGTH))

  async function isOpen(unit?: UnitOfWork): Promise<boolean> {
    const users = engine.collections.find('users')
    return users !== undefined && (await engine.store.loadSelected(users, sql`limit 1`, unit)).length === 0
  }

  return {
    isOpen: () => isOpen(),
    setupCode,
    async createAdmin({ email, password, setupCode: shown }) {
      if (!(await isOpen())) throw closed()
      if (shown !== 'not needed' && !isSameSecret(shown.replaceAll(/[\s-]/g, '').toUpperCase(), setupCode.replaceAll('-', ''))) {
        throw new RecordError(403, 'The set-up code is wrong. The hub printed it when it started.', {
          setupCode: { code: 'validation_invalid_setup_code', message: 'Wrong set-up code.' },
        })
      }
      refuseBad(email, password)
      const hash = await engine.hashPassword(password)
      await engine.database.write(async (unit) => {
        await unit.alone(FIRST_USER)
        if (!(await isOpen(unit))) throw closed()
        const admin = await engine.store.insert(unit, 'users', { email, password: hash, role: 'admin', verified: true })
        await noteInAudit(unit, engine.clock.now(), { by: 'first run', action: 'create', target: 'users', id: admin.id, name: email })
        await adoptOrphans(unit, engine.store, admin.id)
      })
    },
  }
}

function closed(): RecordError {
  return new RecordError(403, 'The first user exists already.')
}

function refuseBad(email: string, password: string): void {
  const errors: { [field: string]: FieldErrors[string] } = {}
  if (email === '') errors['email'] = blank
  else if (!isEmail(email)) errors['email'] = { code: 'validation_is_email', message: 'Must be a valid email address.' }
  const wrong = password === '' ? blank : checkPassword(password)
  if (wrong !== undefined) errors['password'] = wrong
  if (Object.keys(errors).length > 0) throw badRequest('Failed to create record.', errors)
}

/** Converts random bytes to a setup code: 12 characters in groups of 4, such as `ABCD-EFGH-JKMN`. */
function codeOf(bytes: Buffer): string {
  const code = [...bytes.subarray(0, CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return code.replaceAll(/(.{4})(?=.)/g, '$1-')
}

/**
 * Assigns all systems that have no user to a new admin; `admin` is the admin's id. Such systems' agents registered before any account
 * existed.
 */
export async function adoptOrphans(unit: UnitOfWork, records: RecordStore, admin: string): Promise<void> {
  await unit.alone(FIRST_USER)
  for (const system of await records.loadWhere('systems', { users: [] }, unit)) {
    await records.update(unit, 'systems', system.id, { users: [admin] })
  }
}
