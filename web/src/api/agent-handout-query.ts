import { queryOptions } from '@tanstack/react-query'
import { basePath } from '../base-path.ts'
import { readAgentHandout } from './agent-handout.ts'
import { sendRequest } from './client.ts'

/** Asked for each time it is shown: an agent may have been built since. */
export const agentHandoutQuery = queryOptions({
  queryKey: ['agent-handout'],
  queryFn: async () => readAgentHandout(await sendRequest('GET', '/agent/'), `${location.origin}${basePath}/agent`),
  staleTime: 0,
})
