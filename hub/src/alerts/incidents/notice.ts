import { z } from 'zod'
import type { UnitOfWork } from '../../platform/db/database.ts'
import { parseJson } from '../../records/model/json-value.ts'
import { randomId } from '../../records/model/record-id.ts'

/** `fired` and `resolved` belong to incidents; `worse` means that a drive reports a worse health. */
export const transitions = ['fired', 'resolved', 'worse'] as const
export type Transition = (typeof transitions)[number]

const bodySchema = z.object({
  /** The system's name at that time. */
  systemName: z.string(),
  /** The alert's name, such as `CPU`; `Drive` for the health of a drive. */
  kind: z.string(),
  /** The part of the system: a disk, a sensor, a drive. */
  target: z.string().optional(),
  /** The measured value, in the unit of the kind; absent for alerts without a numeric value. */
  value: z.number().optional(),
  threshold: z.number().optional(),
  /** Minutes that the value is averaged over, or that the system had to be down. */
  minutes: z.number().optional(),
  /** Why the system is down, or the health that a drive reports. */
  reason: z.string().optional(),
  /** When the incident began, epoch milliseconds. */
  beganMs: z.number(),
})
export type NoticeBody = z.infer<typeof bodySchema>

/** A notification about one transition, for one person. */
export type Notice = {
  readonly id: string
  readonly incident: string
  readonly transition: Transition
  /** The account that receives the notification. */
  readonly owner: string
  readonly system: string
  readonly atMs: number
  readonly body: NoticeBody
}

/** The table of notifications. Its create events wake the notifiers. */
export const NOTICES = 'notices'

/**
 * Stores a notification in the transaction of its transition: one row for each transition. It is sent from `dueMs` on, epoch milliseconds.
 */
export async function putNotice({ sql, emit }: UnitOfWork, { atMs, body, ...notice }: Omit<Notice, 'id'>, dueMs = atMs): Promise<void> {
  const id = randomId(20)
  await sql
    .insertInto(NOTICES)
    .values({ ...notice, id, at: atMs, state: 'new', due: dueMs, body: JSON.stringify(body) })
    .execute()
  emit({ action: 'create', collection: NOTICES, record: { id } })
}

/** Undefined if the stored text is damaged. */
export function parseNoticeBody(text: string): NoticeBody | undefined {
  try {
    return bodySchema.safeParse(parseJson(text)).data
  } catch {
    return undefined
  }
}
