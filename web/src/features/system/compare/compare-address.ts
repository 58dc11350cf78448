import { comparedSystems } from '../../../navigation/compared-systems.ts'
import { textField, wordField } from '../../../navigation/search.ts'
import { metricIds, type MetricId } from './metrics.ts'

/** What stands beside the present: the same hours a day or a week before. */
export type Beside = 'day' | 'week'

/** The state of the page that is in the address. */
export const compareFields = {
  systems: comparedSystems,
  metric: wordField<MetricId, MetricId>(metricIds, 'cpu'),
  beside: wordField<Beside, undefined>(['day', 'week'], undefined),
  /** What is chosen in the dialog takes its place in the history. */
  dialog: textField(40),
}
