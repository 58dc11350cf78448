import { filterOf, listRecords, sendRequest } from './client.ts'
import { numberOf, textOf } from './json.ts'

/** One alert of one system as the person has set it. `minutes` is at least 1. */
export type SystemAlert = {
  readonly name: string
  readonly value: number | undefined
  readonly minutes: number
  readonly isFiring: boolean
}

/** By name. */
export async function fetchSystemAlerts(systemId: string): Promise<ReadonlyMap<string, SystemAlert>> {
  const records = await listRecords('alerts', {
    fields: 'name,value,min,triggered',
    filter: filterOf('system = {:systemId}', { systemId }),
  })
  return new Map(
    records.flatMap((record) => {
      const name = textOf(record['name'])
      if (name === undefined) return []
      const minutes = Math.max(1, numberOf(record['min']) ?? 1)
      return [[name, { name, value: numberOf(record['value']), minutes, isFiring: record['triggered'] === true }] as const]
    }),
  )
}

export type AlertWish = { readonly systems: readonly string[]; readonly name: string; readonly value: number; readonly minutes: number }

/** Sets one alert on systems; `overwrite`: also where there is one already. */
export const setAlert = ({ systems, name, value, minutes }: AlertWish, overwrite = true): Promise<unknown> =>
  sendRequest('POST', '/api/beszel/user-alerts', { systems, name, value, min: minutes, overwrite })

export const removeAlert = (systems: readonly string[], name: string): Promise<unknown> =>
  sendRequest('DELETE', '/api/beszel/user-alerts', { systems, name })
