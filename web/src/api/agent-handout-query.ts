import { basePath } from '../base-path.ts'
import { readAgentHandout } from './agent-handout.ts'
import { getJson } from './client.ts'
import { keys } from './keys.ts'
import { serverQuery } from './server-query.ts'
import { recordOf, textOf } from './json.ts'

/** Asked for each time it is shown: an agent may have been built since. */
export const agentHandoutQuery = serverQuery(
  keys.agentHandout,
  async (signal) => readAgentHandout(await getJson('/agent/', signal), `${hubUrl()}/agent`),
  { staleTime: 0 },
)

/** Where agents connect to. */
export const hubUrl = (): string => `${location.origin}${basePath}`

/** A token with which agents add themselves as systems of whoever asks: the one that is good already, else a new one for an hour. */
export async function lendToken(): Promise<string> {
  const path = '/api/beszel/universal-token'
  const known = recordOf(await getJson(path, undefined))
  const { token } = known['active'] === true ? known : recordOf(await getJson(`${path}?enable=1`, undefined))
  return textOf(token) ?? ''
}
