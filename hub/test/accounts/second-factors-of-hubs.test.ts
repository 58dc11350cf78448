import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import type { HubProcess } from '../hub-process.ts'
import { call, hubsOfOneDatabase, NATS_AWAY, PASSWORD, signIn } from '../hubs-of-one-database.ts'
import { softAuthenticator, type SoftAuthenticator } from '../soft-authenticator.ts'
import { codeOfStep, stepAt, wrongCodeOf } from '../second-factor-scene.ts'

const EMAIL = 'anna@example.com'
const USERS = '/api/collections/users'
/** Address of both hubs in a browser. */
const ORIGIN = 'http://localhost:9999'
const program = join(import.meta.dirname, '..', '..', 'src', 'vedette.ts')

test(
  'a code works once over two hubs, which count codes together, and the command line removes the factor',
  { timeout: 300_000 },
  async () => {
    await using hubs = await hubsOfOneDatabase(NATS_AWAY)
    const [a, b] = [await hubs.start('a', ['--app-url', ORIGIN]), await hubs.start('b', ['--app-url', ORIGIN])]
    const admin = await signIn(a)
    const account = { email: EMAIL, password: PASSWORD, passwordConfirm: PASSWORD, role: 'user', verified: true }
    assert.equal((await call(a, admin.token, `POST ${USERS}/records`, account)).status, 200)
    const first = async (hub: HubProcess) => {
      const { status, body } = await call(hub, '', `POST ${USERS}/auth-with-password`, { identity: EMAIL, password: PASSWORD })
      assert.equal(status, 401)
      return body['mfaId'] ?? ''
    }
    const second = async (hub: HubProcess, mfaId: unknown, code: string) =>
      (await call(hub, '', `POST ${USERS}/auth-with-second-factor`, { mfaId, code })).status

    const { token } = await signIn(b, EMAIL, PASSWORD)
    const { body: begun } = await call(b, token, 'POST /api/account/authenticator-app', {})
    const secret = String(begun['secret'])
    // The step before the current one leaves two codes that are valid for at least 30 s.
    const step = stepAt(Date.now())
    const confirmed = await call(a, token, 'POST /api/account/authenticator-app/confirm', { code: codeOfStep(secret, step) })
    assert.equal(confirmed.status, 200)
    for (const hub of [a, b]) assert.equal(await second(hub, await first(hub), codeOfStep(secret, step)), 400)

    const code = codeOfStep(secret, step + 1)
    const answers = await Promise.all([second(a, await first(b), code), second(b, await first(a), code)])
    assert.deepEqual(answers.toSorted(), [200, 400])

    const recoveryCodes = confirmed.body['recoveryCodes'] as readonly string[] // of the route
    const [recovery = ''] = recoveryCodes
    const codes = await Promise.all([second(a, await first(b), recovery), second(b, await first(a), recovery)])
    assert.deepEqual(codes.toSorted(), [200, 400])

    const page = async (hub: HubProcess, path: string, body: object, by = '') => {
      const headers = { 'content-type': 'application/json', origin: ORIGIN, authorization: by }
      const response = await fetch(hub.address + path, { method: 'POST', headers, body: JSON.stringify(body) })
      return { status: response.status, body: (await response.json()) as never } // the caller knows the route
    }
    const proof = { password: PASSWORD, code: recoveryCodes[1] }
    const own = String(confirmed.body['token'])
    const key: SoftAuthenticator = softAuthenticator(ORIGIN)
    const options = await page(a, '/api/account/passkeys/options', proof, own)
    const response = key.create(options.body)
    assert.equal((await page(b, '/api/account/passkeys', { name: 'Key', response }, own)).status, 200)
    assert.equal((await page(a, '/api/account/passkeys', { name: 'Key', response: key.create(options.body) }, own)).status, 400)
    const assertion = key.get((await page(a, `${USERS}/passkey-options`, {})).body)
    const entered = await Promise.all([a, b].map((hub) => page(hub, `${USERS}/auth-with-passkey`, { response: assertion })))
    assert.deepEqual(entered.map(({ status }) => status).toSorted(), [200, 400])

    const wrong = wrongCodeOf(secret)
    let refused = 0
    const limit = async (): Promise<number> => {
      const status = await second(refused % 2 === 0 ? a : b, await first(a), wrong)
      if (status === 429) return refused
      assert.equal(status, 400)
      refused += 1
      return limit()
    }
    assert.ok((await limit()) <= 10)
    for (const hub of [a, b]) assert.equal(await second(hub, await first(hub), wrong), 429)

    const flags = [...hubs.flags(), '--data', join(hubs.folder, 'a')].filter(
      (flag, at, all) => flag !== '--nats' && all[at - 1] !== '--nats',
    )
    const said = execFileSync(process.execPath, [program, 'user', 'remove-second-factor', EMAIL, ...flags], { encoding: 'utf8' })
    assert.equal(said.trim(), `Removed the second factors of ${EMAIL}; all its sessions have ended`)
    for (const hub of [a, b]) {
      assert.equal((await call(hub, String(confirmed.body['token']), `POST ${USERS}/auth-refresh`)).status, 401)
      assert.equal((await call(hub, '', `POST ${USERS}/auth-with-password`, { identity: EMAIL, password: PASSWORD })).status, 200)
    }
    const { body: audit } = await call(b, admin.token, 'GET /api/vedette/audit?perPage=1')
    assert.match(JSON.stringify(audit), /command line.*authenticatorApp/)
  },
)
