import { comparedSystems } from '../../../navigation/compared-systems.ts'
import { textField, wordField } from '../../../navigation/search.ts'
import { metricIds, type MetricId } from './metrics.ts'

/** Offset of the earlier time in a comparison: the same hours a day or a week before. */
export type EarlierOffset = 'day' | 'week'

/** Search parameters of the URL for the comparison page. */
export const compareFields = {
  systems: comparedSystems,
  metric: wordField<MetricId, MetricId>(metricIds, 'cpu'),
  beside: wordField<EarlierOffset, undefined>(['day', 'week'], undefined),
  /** Declared here so that the chosen systems replace the dialog's entry in the browser history. */
  dialog: textField(40),
}
