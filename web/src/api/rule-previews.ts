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
 * TanStack Query options for previews of alert rules that are being edited. The data is an object from rule id to preview, `undefined`
 * until the first preview. It is never fetched from the hub: the alert sheet writes it to the cache, and the charts read it.
 */
export const rulePreviewsQuery = (systemId: string) =>
  queryOptions({
    queryKey: keys.rulePreviews(systemId),
    queryFn: (): Readonly<Record<string, RulePreview>> => ({}),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: false,
  })
