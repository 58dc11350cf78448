import { comparedSystems } from '../../../navigation/compared-systems.ts'
import { textField, wordField } from '../../../navigation/search.ts'
import { metricIds, type MetricId } from './metrics.ts'

/** Name of the earlier time with which a comparison shows each system: the same hours one `day` or one `week` before. */
export type EarlierOffset = 'day' | 'week'

/**
 * URL search parameters of the comparison page: systems, metric, earlier time and dialog. It is an object from name to codec (functions
 * that read and write the parameter's text).
 */
export const compareFields = {
  systems: comparedSystems,
  metric: wordField<MetricId, MetricId>(metricIds, 'cpu'),
  beside: wordField<EarlierOffset, undefined>(['day', 'week'], undefined),
  /**
   * Codec for the URL parameter with the name of the open dialog. As one of the comparison's parameters, it changes together with
   * `systems`: selecting systems also closes the dialog.
   */
  dialog: textField(40),
}
