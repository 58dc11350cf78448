import { sendRequest } from './client.ts'

const USERS = '/api/collections/users'

export const requestPasswordReset = (email: string): Promise<unknown> => sendRequest('POST', `${USERS}/request-password-reset`, { email })

/** Sets a new password with the token from the mailed reset link. Rejects with RequestFailed when the hub refuses it. */
export const confirmPasswordReset = (token: string, password: string): Promise<unknown> =>
  sendRequest('POST', `${USERS}/confirm-password-reset`, { token, password, passwordConfirm: password })
