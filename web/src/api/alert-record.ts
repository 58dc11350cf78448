import { numberOf, textOf, type JsonRecord } from './json.ts'

/** Alert rule of a person: they are notified when the value `name` of a system passes `value`. */
export type AlertRule = { readonly id: string; readonly name: string; readonly systemId: string; readonly value: number | undefined }

export const readAlert = (record: JsonRecord): AlertRule => ({
  id: textOf(record['id']) ?? '',
  name: textOf(record['name']) ?? '',
  systemId: textOf(record['system']) ?? '',
  value: numberOf(record['value']),
})
