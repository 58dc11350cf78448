import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { call } from './mailing-hub.ts'
import { dataset, type RecordedHub } from './recorded-hub.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const STEP_MS = 30_000

/** The bytes of a base32 text without padding (RFC 4648). */
function base32Bytes(text: string): Buffer {
  const bits = Array.from(text, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from(Array.from({ length: Math.floor(bits.length / 8) }, (_, at) => Number.parseInt(bits.slice(at * 8, at * 8 + 8), 2)))
}

/** The code of a time step, computed from RFC 4226 and RFC 6238 without the hub's library. */
export function codeOfStep(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', base32Bytes(secret)).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0')
}

export const stepAt = (atMs: number): number => Math.floor(atMs / STEP_MS)

/** A code that differs from the codes that the hub accepts now. */
export function wrongCodeOf(secret: string): string {
  const now = stepAt(Date.now())
  const right = new Set([-2, -1, 0, 1, 2, 3].map((delta) => codeOfStep(secret, now + delta)))
  return ['000000', '111111', '222222', '333333', '444444', '555555', '666666'].find((code) => !right.has(code)) ?? assert.fail()
}

export type OwnApp = {
  readonly account: string
  readonly secret: string
  readonly recoveryCodes: readonly string[]
  readonly token: string
}

/** Signs in with the password and returns the token. Fails if a second factor is needed. */
export async function passwordToken(hub: RecordedHub, identity: string, password = dataset.password): Promise<string> {
  const { status, body } = await call(hub, 'POST /api/collections/users/auth-with-password', { identity, password })
  assert.equal(status, 200)
  return String(body['token'])
}

/** Turns an authenticator app on for the owner of a token, with the password. */
export async function turnOn(hub: RecordedHub, token: string, password = dataset.password): Promise<OwnApp> {
  const begun = await call(hub, 'POST /api/account/authenticator-app', { password }, { token })
  assert.equal(begun.status, 200)
  const secret = String(begun.body['secret'])
  const code = codeOfStep(secret, stepAt(Date.now()))
  const { status, body } = await call(hub, 'POST /api/account/authenticator-app/confirm', { code }, { token })
  assert.equal(status, 200)
  const { id } = body['record'] as { readonly id: string } // of a session
  return { account: id, secret, recoveryCodes: body['recoveryCodes'] as readonly string[], token: String(body['token']) } // of the route
}

/** A code that the hub accepts now. It makes the hub forget which codes were used, because a step lasts 30 s. */
export async function freshCode(hub: RecordedHub, { account, secret }: Pick<OwnApp, 'account' | 'secret'>): Promise<string> {
  await hub.engine.database.write((unit) =>
    unit.sql.updateTable('authenticator_apps').set({ step: 0 }).where('account', '=', account).execute(),
  )
  return codeOfStep(secret, stepAt(Date.now()))
}
