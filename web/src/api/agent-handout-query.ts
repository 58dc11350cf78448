import { basePath } from '../base-path.ts'
import { readAgentHandout } from './agent-handout.ts'
import { getJson } from './client.ts'
import { keys } from './keys.ts'
import { serverQuery } from './server-query.ts'
import { recordOf, textOf } from './json.ts'

/**
 * TanStack Query options for the agent downloads that this hub offers; the data is an `AgentHandout`. Always stale, because an agent may
 * have been built since the last request.
 */
export const agentHandoutQuery = serverQuery(
  keys.agentHandout,
  async (signal) => readAgentHandout(await getJson('/agent/', signal), `${hubUrl()}/agent`),
  { staleTime: 0 },
)

/** Returns the base URL of this hub, without a slash at its end: `https://hub.example.org`. Agents connect to it. */
export const hubUrl = (): string => `${location.origin}${basePath}`

/**
 * Resolves to the user's universal token, with which agents enrol as new systems of the signed-in user. If the user has no valid one, the
 * hub creates one for an hour. Empty string when the response has none.
 */
export async function fetchUniversalToken(): Promise<string> {
  const path = '/api/beszel/universal-token'
  const known = recordOf(await getJson(path, undefined))
  const { token } = known['active'] === true ? known : recordOf(await getJson(`${path}?enable=1`, undefined))
  return textOf(token) ?? ''
}
