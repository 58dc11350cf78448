import { comparedSystems } from '../../../navigation/compared-systems.ts'
import { textField, wordField } from '../../../navigation/search.ts'
import { metricIds, type MetricId } from './metrics.ts'

/** The earlier time beside the present one: the same hours a day or a week before. */
export type Beside = 'day' | 'week'

/** The state of the page that is in the address. */
export const compareFields = {
  systems: comparedSystems,
  metric: wordField<MetricId, MetricId>(metricIds, 'cpu'),
  beside: wordField<Beside, undefined>(['day', 'week'], undefined),
  /** The chosen systems replace the dialog in the history. */
  dialog: textField(40),
}
