import type { RangeId } from '../../api/ranges.ts'
import * as words from '../../words/messages.js'

export const rangeNames: Readonly<Record<RangeId, () => string>> = {
  '1h': words.range_1h,
  '12h': words.range_12h,
  '24h': words.range_24h,
  '1w': words.range_1w,
  '30d': words.range_30d,
}
