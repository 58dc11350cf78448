import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getJson, sendRequest } from '../../api/client.ts'
import { recordOf, type JsonRecord } from '../../api/json.ts'
import { officeKeys } from '../../api/keys.ts'

/**
 * React hook for the hub's settings at an API path, such as `/api/settings`. Returns `query`, the TanStack Query result with the settings
 * as JSON, and `save`, which sends a change as PATCH and updates the cache.
 */
export function useStoredSettings(path: string) {
  const cache = useQueryClient()
  const queryKey = officeKeys.hubSettings(path)
  const query = useQuery({ queryKey, queryFn: async ({ signal }): Promise<JsonRecord> => recordOf(await getJson(path, signal)) })
  const save = async (change: JsonRecord) => cache.setQueryData(queryKey, recordOf(await sendRequest('PATCH', path, change)))
  return { query, save }
}
