import { z } from 'zod'
import { texts } from '../../http/routing/field-schemas.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { notFound } from '../../records/model/record-error.ts'
import { recordDate, textOf } from '../../records/model/stored-record.ts'
import { deletedTags, deleteTag, restoreTag, type DeletedTag } from '../tags/deleted-tags.ts'

type TagParts = { readonly engine: Engine }

const counted = { systems: z.number(), grants: z.number(), rules: z.number() }
const shownDeleted = z.object({ id: z.string(), tag: z.string(), ...counted, by: z.string(), deleted: z.string() })

const presentDeleted = ({ atMs, ...tag }: DeletedTag): z.infer<typeof shownDeleted> => ({ ...tag, deleted: recordDate(atMs) })

const listDeletedTags = defineRoute('GET /api/vedette/deleted-tags', {
  tag: 'back-office',
  summary: 'The tags that were deleted in the last day, newest first, with the numbers of what had them; `by` is an email address',
  access: 'admin',
  response: z.object({ items: z.array(shownDeleted) }),
  headers: { 'cache-control': 'no-store' },
  async handle(_, { engine }: TagParts) {
    const deleted = await deletedTags(engine.database.kysely, engine.clock.now())
    const admins = new Map((await engine.store.loadWhere('users', { role: 'admin' })).map((user) => [user.id, textOf(user, 'email')]))
    return { items: deleted.map((tag) => presentDeleted({ ...tag, by: admins.get(tag.by) ?? '' })) }
  },
})

const deleteOneTag = defineRoute('POST /api/vedette/deleted-tags', {
  tag: 'back-office',
  summary: 'Deletes a tag from all systems, with its grants and tag rules; `kept` counts systems whose agents report it',
  access: 'admin',
  body: texts(z.object({ tag: z.string('Must be a text.') })),
  invalid: 'Failed to delete the tag.',
  response: shownDeleted.extend({ kept: z.number() }),
  async handle({ actor, body }, { engine }: TagParts) {
    const { tag } = await body()
    const nowMs = engine.clock.now()
    const deleted = await engine.database.write((unit) => deleteTag(engine, unit, tag, { by: actor, nowMs }))
    if (deleted === undefined) throw notFound('There is no such tag, or only agents report it.')
    return { ...presentDeleted({ ...deleted, by: textOf(actor, 'email') }), kept: deleted.kept }
  },
})

const restoreOneTag = defineRoute('POST /api/vedette/deleted-tags/:id/restore', {
  tag: 'back-office',
  summary: 'Undoes the deletion of a tag within a day, and returns the numbers of what has it again',
  access: 'admin',
  response: z.object(counted),
  async handle({ actor, params }, { engine }: TagParts) {
    const change = { by: actor, nowMs: engine.clock.now() }
    const restored = await engine.database.write((unit) => restoreTag(engine, unit, params.id, change))
    if (restored === undefined) throw notFound('This deletion cannot be undone: it is over a day old, or it was undone.')
    return restored
  },
})

/** List of the HTTP routes by which admins delete a tag everywhere, list the deleted tags, and undo a deletion. */
export const tagRoutes = [listDeletedTags, deleteOneTag, restoreOneTag]
