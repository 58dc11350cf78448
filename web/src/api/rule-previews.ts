import { queryOptions } from '@tanstack/react-query'
import { keys } from './keys.ts'

/** When a rule that somebody is setting would have fired, epoch ms; without its end it still would. `source`: what its chart shows. */
export type RulePreview = {
  readonly source: string
  readonly episodes: readonly { readonly fromMs: number; readonly toMs: number | undefined }[]
}

/** The rules of a system that are being set, by what they are called: the sheet puts them there, the charts behind it draw them. */
export const rulePreviewsQuery = (systemId: string) =>
  queryOptions({
    queryKey: keys.rulePreviews(systemId),
    queryFn: (): Readonly<Record<string, RulePreview>> => ({}),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: false,
  })
