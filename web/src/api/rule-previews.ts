import { queryOptions } from '@tanstack/react-query'
import { keys } from './keys.ts'

/**
 * Episodes in which a rule that is being edited would have fired, epoch ms; `toMs` undefined = still open. `source` is the data source
 * whose charts draw them.
 */
export type RulePreview = {
  readonly source: string
  readonly episodes: readonly { readonly fromMs: number; readonly toMs: number | undefined }[]
}

/**
 * Query options for the previews of rules being edited on a system, by id. Never fetched: the alert sheet writes them to the cache, and the
 * charts draw them.
 */
export const rulePreviewsQuery = (systemId: string) =>
  queryOptions({
    queryKey: keys.rulePreviews(systemId),
    queryFn: (): Readonly<Record<string, RulePreview>> => ({}),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: false,
  })
