import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getJson } from '../../api/client.ts'
import { listOf, numberOf, recordOf, textOf, type JsonRecord } from '../../api/json.ts'
import { officeKeys } from '../../api/keys.ts'

export const ROWS_A_PAGE = 50
/** Number of records per request when an export fetches all records of a collection: 500. */
const ROWS_A_REQUEST = 500

export type RecordsQuery = { readonly collection: string; readonly filter: string; readonly sort: string; readonly page: number }

export type RecordsPage = { readonly items: readonly JsonRecord[]; readonly totalItems: number; readonly totalPages: number }

export const idOf = (record: JsonRecord): string => textOf(record['id']) ?? ''

/** Returns the URL path with query string that requests one page of records from the PocketBase-compatible records API. */
export function listPath({ collection, filter, sort, page }: RecordsQuery, perPage = ROWS_A_PAGE): string {
  const query = new URLSearchParams({ page: String(page), perPage: String(perPage) })
  if (sort !== '') query.set('sort', sort)
  if (filter.trim() !== '') query.set('filter', filter)
  return `/api/collections/${encodeURIComponent(collection)}/records?${query.toString()}`
}

export const recordsQuery = (query: RecordsQuery) =>
  queryOptions({
    queryKey: officeKeys.records(query),
    queryFn: ({ signal }) => fetchPage(listPath(query), signal),
    placeholderData: keepPreviousData,
    retry: false,
  })

/**
 * Fetches all records of a collection that match the filter, in the sort order of the query, for an export. It sends one request per 500
 * records.
 */
export async function fetchAll(query: RecordsQuery): Promise<readonly JsonRecord[]> {
  const all: JsonRecord[] = []
  for (let page = 1; ; page++) {
    const { items, totalPages } = await fetchPage(listPath({ ...query, page }, ROWS_A_REQUEST), undefined)
    all.push(...items)
    if (page >= totalPages) return all
  }
}

async function fetchPage(path: string, signal: AbortSignal | undefined): Promise<RecordsPage> {
  const answer = recordOf(await getJson(path, signal))
  return {
    items: listOf(answer['items']).map(recordOf),
    totalItems: numberOf(answer['totalItems']) ?? 0,
    totalPages: numberOf(answer['totalPages']) ?? 0,
  }
}
