import { queryOptions } from '@tanstack/react-query'
import { keys } from './keys.ts'

/**
 * Preview of an alert rule that is being edited: time ranges in epoch ms in which it would have fired. `toMs` is `undefined` when it would
 * still fire. `source` is the id of the chart data source that draws them, such as `memory`.
 */
export type RulePreview = {
  readonly source: string
  readonly episodes: readonly { readonly fromMs: number; readonly toMs: number | undefined }[]
}

/**
 * TanStack Query options for a cache entry that is never fetched: a map from rule id to the preview of an edited alert rule. The alert
 * sheet writes it, and the charts draw it.
 */
export const rulePreviewsQuery = (systemId: string) =>
  queryOptions({
    queryKey: keys.rulePreviews(systemId),
    queryFn: (): Readonly<Record<string, RulePreview>> => ({}),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: false,
  })
