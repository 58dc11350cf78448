import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getJson, sendRequest } from '../../api/client.ts'
import { recordOf, type JsonRecord } from '../../api/json.ts'
import { officeKeys } from '../../api/keys.ts'

/** React hook: returns a settings document at an API path as the query `query`, and the function `save`, which sends a change as PATCH. */
export function useStoredSettings(path: string) {
  const cache = useQueryClient()
  const queryKey = officeKeys.hubSettings(path)
  const query = useQuery({ queryKey, queryFn: async ({ signal }): Promise<JsonRecord> => recordOf(await getJson(path, signal)) })
  const save = async (change: JsonRecord) => cache.setQueryData(queryKey, recordOf(await sendRequest('PATCH', path, change)))
  return { query, save }
}
