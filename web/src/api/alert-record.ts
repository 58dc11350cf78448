import { numberOf, textOf, type JsonRecord } from './json.ts'

/**
 * Alert rule that a user has set on a system, from a record of the collection `alerts`. `name` is the kind of alert, such as `CPU`. `value`
 * is its threshold in the kind's unit: 0 for a kind without a threshold, `undefined` if the record has none.
 */
export type AlertRule = { readonly id: string; readonly name: string; readonly systemId: string; readonly value: number | undefined }

export const readAlert = (record: JsonRecord): AlertRule => ({
  id: textOf(record['id']) ?? '',
  name: textOf(record['name']) ?? '',
  systemId: textOf(record['system']) ?? '',
  value: numberOf(record['value']),
})
