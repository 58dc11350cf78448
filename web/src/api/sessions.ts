import { getJson, keepSession, sendRequest } from './client.ts'
import { keys } from './keys.ts'
import { serverQuery } from './server-query.ts'
import { listOf, recordOf, textOf, timeOf } from './json.ts'

/**
 * Signed-in session of the user. It has the client's IP address and browser, and the last renewal in epoch ms. `by` is the admin who
 * impersonates the user in it, else `undefined`. `isCurrent` marks this browser's session.
 */
export type OwnSession = {
  readonly id: string
  readonly address: string | undefined
  readonly browser: string | undefined
  readonly renewedMs: number | undefined
  readonly by: string | undefined
  readonly isCurrent: boolean
}

/** Resolves with the signed-in user's sessions as a list: the current one first, then by last renewal, newest first. */
async function fetchSessions(signal: AbortSignal): Promise<readonly OwnSession[]> {
  const sessions = listOf(recordOf(await getJson('/api/account/sessions', signal))['items']).map((item): OwnSession => {
    const { id, address, browser, renewed, by, current } = recordOf(item)
    return {
      id: textOf(id) ?? '',
      address: textOf(address),
      browser: textOf(browser),
      renewedMs: timeOf(renewed),
      by: textOf(by),
      isCurrent: current === true,
    }
  })
  return sessions.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || (b.renewedMs ?? 0) - (a.renewedMs ?? 0))
}

export const sessionsQuery = serverQuery(keys.sessions, fetchSessions)

export const endSession = (id: string): Promise<unknown> => sendRequest('DELETE', `/api/account/sessions/${encodeURIComponent(id)}`)

/** Ends all other sessions of the signed-in user at the hub. The current session gets a new token, which is stored. */
export async function endOtherSessions(): Promise<void> {
  keepSession(await sendRequest('DELETE', '/api/account/sessions'))
}
