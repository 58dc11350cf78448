import { Hono } from 'hono'
import type { Accounts } from '../../auth/accounts.ts'
import { changedWays, doorOf, isSignInChange, signInForm } from '../../auth/sign-in-settings.ts'
import { changesBetween, noteInAudit } from '../../records/audit-log.ts'
import { collectionModel } from '../../records/collection-model.ts'
import type { Engine } from '../../records/engine.ts'
import { fieldPicker } from '../../records/pick-fields.ts'
import { badRequest, notFound } from '../../records/record-error.ts'
import { readBody } from '../request-body.ts'
import { askedByAdmin, type Signed } from '../signed.ts'

/** A collection as it is, and the one thing of it that admins change: in which ways it signs somebody in. */
export function signInWaysRoute(engine: Engine, { ways, sendsMail }: Accounts): Hono<Signed> {
  const find = (nameOrId: string) => {
    const collection = engine.collections.find(nameOrId)
    if (collection === undefined) throw notFound()
    return collection
  }
  const model = async (nameOrId: string) => {
    const collection = find(nameOrId)
    const plain = collectionModel(collection, engine.collections)
    return collection.type === 'auth' ? { ...plain, ...signInForm((await ways.load())[doorOf(collection.name)]) } : plain
  }

  return new Hono<Signed>()
    .get('/api/collections/:collection', async (c) => {
      askedByAdmin(c)
      return c.json(fieldPicker(c.req.query('fields') ?? '')(await model(c.req.param('collection'))))
    })
    .patch('/api/collections/:collection', async (c) => {
      const { actor } = askedByAdmin(c)
      const collection = engine.collections.find(c.req.param('collection'))
      const body = await readBody(c)
      if (collection?.type !== 'auth' || !isSignInChange(body)) throw badRequest('The collections of this hub are fixed.')
      const settings = await ways.load()
      const door = doorOf(collection.name)
      const changed = changedWays(settings[door], body, await sendsMail())
      const changes = changesBetween(signInForm(settings[door]), signInForm(changed), () => false)
      await ways.save({ ...settings, [door]: changed }, (unit) =>
        noteInAudit(unit, engine.clock.now(), { by: actor, action: 'update', target: 'sign-in', name: collection.name, changes }),
      )
      return c.json(fieldPicker(c.req.query('fields') ?? '')(await model(collection.name)))
    })
}
