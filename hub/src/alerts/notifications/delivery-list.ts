import { z } from 'zod'
import type { Engine } from '../../records/engine/engine.ts'
import { parseNotice } from './notice-outbox.ts'
import type { Database } from '../../platform/db/database.ts'
import { loadNoticeWords, textOfDigest, textOfNotice } from './words/notice-text.ts'
import type { NoticeWords } from './words/notice-words.ts'
import { noticeIdsIn } from './delivery-store.ts'

const states = ['waiting', 'delivered', 'refused', 'expired'] as const

/** Schema of a delivery (one message to one channel, sent or queued) in API responses. Times are epoch ms. */
export const listedDelivery = z.object({
  id: z.string(),
  /** Display name of the kind of channel that the delivery goes to, such as `Discord` or `e-mail`. */
  channel: z.string(),
  /**
   * Standard title of the message, in any state; titles by the user's template are not shown. For a message that another channel fails, a
   * general title. Null if the message's notifications were deleted or are damaged.
   */
  title: z.string().nullable(),
  state: z.enum(states),
  attempts: z.number(),
  /**
   * Reason why the last attempt to send failed, such as the provider's error response. `''` before the first attempt, and if the last one
   * succeeded or was cancelled.
   */
  said: z.string(),
  created: z.number(),
  /** Time of the next attempt to send the delivery, in epoch ms; during an attempt the end of its lease. Null if no attempt follows. */
  nextTry: z.number().nullable(),
  done: z.number().nullable(),
})
type ListedDelivery = Readonly<z.infer<typeof listedDelivery>>

export type DeliveryQuery = {
  readonly owner: string
  readonly most: number
  /** Id of the last delivery of the previous page, after which this page begins. `undefined` for the first page. */
  readonly after?: string | undefined
}

/**
 * Loads a page of a user's deliveries (one message to one channel each), newest first. Empty if the user has no delivery with the id
 * `after`.
 */
export async function listDeliveries(
  { database: { kysely }, store }: Pick<Engine, 'database' | 'store'>,
  { owner, most, after }: DeliveryQuery,
): Promise<readonly ListedDelivery[]> {
  const last =
    after === undefined
      ? undefined
      : await kysely.selectFrom('deliveries').select('place').where('id', '=', after).where('owner', '=', owner).executeTakeFirst()
  if (after !== undefined && last === undefined) return []
  const all = kysely.selectFrom('deliveries').selectAll().where('owner', '=', owner).orderBy('place', 'desc').limit(most)
  const rows = await (last === undefined ? all : all.where('place', '<', last.place)).execute()
  const titleOf = await titles(
    kysely,
    rows.flatMap(({ notices }) => noticeIdsIn(notices)),
    await loadNoticeWords(store, owner),
  )
  return rows.map(({ id, kind, notices, state, attempts, said, at, due, done }) => ({
    id,
    channel: kind,
    title: titleOf(noticeIdsIn(notices)),
    state: states.find((one) => one === state) ?? 'expired',
    attempts,
    said,
    created: at,
    nextTry: state === 'waiting' ? due : null,
    done,
  }))
}

async function titles(
  kysely: Database['kysely'],
  ids: readonly string[],
  words: NoticeWords,
): Promise<(ids: readonly string[]) => string | null> {
  const rows =
    ids.length === 0
      ? []
      : await kysely
          .selectFrom('notices')
          .selectAll()
          .where('id', 'in', [...new Set(ids)])
          .execute()
  const noticeOf = new Map(
    rows.flatMap((row) => {
      const notice = parseNotice(row)
      return notice === undefined ? [] : [[row.id, notice] as const]
    }),
  )
  return (of) => {
    if (of.length === 0) return words.otherChannelFailure
    const found = of.flatMap((id) => noticeOf.get(id) ?? [])
    const [first] = found
    if (first === undefined) return null
    return (found.length === 1 ? textOfNotice(first, words) : textOfDigest(found, words)).title
  }
}
