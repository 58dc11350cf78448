import { z } from 'zod'
import type { UnitOfWork } from '../../platform/db/database.ts'
import { parseJson } from '../../records/model/json-value.ts'
import { randomId } from '../../records/model/record-id.ts'

/** `fired` and `resolved` are told of incidents; `worse` of a drive whose own judgement of its health got worse. */
export const transitions = ['fired', 'resolved', 'worse'] as const
export type Transition = (typeof transitions)[number]

const bodySchema = z.object({
  /** As it was called when it happened. */
  systemName: z.string(),
  /** The alert's name, such as `CPU`; `Drive` for the health of a drive. */
  kind: z.string(),
  /** Which part of the system: a disk, a sensor, a drive. */
  target: z.string().optional(),
  /** What was measured, in the unit of the kind; none for what is no number. */
  value: z.number().optional(),
  threshold: z.number().optional(),
  /** Over how many minutes the value is an average, or how long the system had to be down. */
  minutes: z.number().optional(),
  /** Why the system is down; how a drive judges itself. */
  reason: z.string().optional(),
  /** When the incident began, epoch milliseconds. */
  beganMs: z.number(),
})
export type NoticeBody = z.infer<typeof bodySchema>

/** What a person is to be told of one transition; `id` is its key wherever it is sent. */
export type Notice = {
  readonly id: string
  readonly incident: string
  readonly transition: Transition
  /** The account that is told. */
  readonly owner: string
  readonly system: string
  readonly atMs: number
  readonly body: NoticeBody
}

/** The table of notices. Their create events wake the notifiers. */
export const NOTICES = 'notices'

/** Stores a notice in the transaction of its transition, due from `dueMs` on: one row a transition. */
export async function putNotice({ sql, emit }: UnitOfWork, { atMs, body, ...notice }: Omit<Notice, 'id'>, dueMs = atMs): Promise<void> {
  const id = randomId(20)
  await sql
    .insertInto(NOTICES)
    .values({ ...notice, id, at: atMs, state: 'new', due: dueMs, body: JSON.stringify(body) })
    .execute()
  emit({ action: 'create', collection: NOTICES, record: { id } })
}

/** Undefined for one that is damaged. */
export function parseNoticeBody(text: string): NoticeBody | undefined {
  try {
    return bodySchema.safeParse(parseJson(text)).data
  } catch {
    return undefined
  }
}
