import {
  startAuthentication,
  startRegistration,
  WebAuthnError,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import * as words from '../words/messages.js'
import { keepSession, sendRequest } from './client.ts'
import type { FactorProof } from './second-factors.ts'

const OWN = '/api/account/passkeys'
const SIGN_IN = '/api/collections/users'

/**
 * Creates a passkey in the browser's dialog and registers it at the hub under `name`. `password` and a `code` of another factor prove who
 * the user is; each is empty if the hub does not require it. Rejects with RequestFailed if the hub refuses, or with an Error with a
 * translated message if the browser's dialog fails.
 */
export async function addPasskey({ name, ...proof }: FactorProof & { readonly name: string }): Promise<void> {
  const options = (await sendRequest('POST', `${OWN}/options`, proof)) as PublicKeyCredentialCreationOptionsJSON // as the standard defines it
  const response = await inBrowser(() => startRegistration({ optionsJSON: options }))
  await sendRequest('POST', OWN, { name, response: { ...response } })
}

export const removePasskey = ({ id, ...proof }: FactorProof & { readonly id: string }): Promise<unknown> =>
  sendRequest('POST', `${OWN}/${encodeURIComponent(id)}/remove`, proof)

/**
 * Signs in with a passkey that the user chooses in the browser's dialog, and stores the new session. Rejects with RequestFailed if the hub
 * refuses, or with an Error with a translated message if the browser's dialog fails.
 */
export async function signInWithPasskey(): Promise<void> {
  const options = (await sendRequest('POST', `${SIGN_IN}/passkey-options`)) as PublicKeyCredentialRequestOptionsJSON // as the standard defines it
  const response = await inBrowser(() => startAuthentication({ optionsJSON: options }))
  keepSession(await sendRequest('POST', `${SIGN_IN}/auth-with-passkey`, { response: { ...response } }))
}

/**
 * Runs `dialog`, a function that opens a WebAuthn dialog of the browser, and resolves with its result. Any failure rejects with an Error
 * whose translated message says that the passkey is registered already or that the dialog was cancelled.
 */
async function inBrowser<Result>(dialog: () => Promise<Result>): Promise<Result> {
  try {
    return await dialog()
  } catch (error) {
    const isKnown = error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
    throw new Error(isKnown ? words.passkey_known() : words.passkey_cancelled(), { cause: error })
  }
}
