import { keys } from './keys.ts'
import { serverQuery } from './server-query.ts'
import { getJson } from './client.ts'
import { listOf, numberOf, recordOf, textOf } from './json.ts'

/**
 * Delivery of one notification on one channel: waiting to be sent, delivered, refused by the channel's provider, or expired. Times in epoch
 * ms.
 */
export type Delivery = {
  readonly id: string
  readonly channel: string
  /**
   * Title of the notification, such as "CPU usage of web-1"; `undefined` when the notification is no longer stored. A report that another
   * channel fails has a general title.
   */
  readonly title: string | undefined
  readonly state: 'waiting' | 'delivered' | 'refused' | 'expired'
  /**
   * Text of the last response from the service that delivers for this channel, such as a mail server; `undefined` before the first
   * response.
   */
  readonly said: string | undefined
  readonly createdMs: number
}

const states = ['waiting', 'delivered', 'refused', 'expired'] as const

/** Fetches the 50 newest deliveries of notifications on the signed-in user's channels, newest first. Rejects with RequestFailed. */
async function fetchDeliveries(signal: AbortSignal): Promise<readonly Delivery[]> {
  return listOf(recordOf(await getJson('/api/vedette/deliveries', signal))['items']).flatMap((item) => {
    const record = recordOf(item)
    const [id, createdMs] = [textOf(record['id']), numberOf(record['created'])]
    const state = states.find((one) => one === record['state'])
    if (id === undefined || createdMs === undefined || state === undefined) return []
    return [
      { id, createdMs, state, channel: textOf(record['channel']) ?? '', title: textOf(record['title']), said: textOf(record['said']) },
    ]
  })
}

const READ_EVERY_MS = 30_000

export const deliveriesQuery = serverQuery(keys.deliveries, fetchDeliveries, { refetchInterval: READ_EVERY_MS })
