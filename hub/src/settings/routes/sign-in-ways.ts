import { Hono } from 'hono'
import type { Accounts } from '../../accounts/accounts.ts'
import { changedProviders, providersForm } from '../../accounts/providers/providers.ts'
import { changedWays, doorOf, isSignInChange, signInForm } from '../../accounts/sessions/sign-in-settings.ts'
import type { UnitOfWork } from '../../platform/db/database.ts'
import { changesBetween, noteInAudit, type Changes } from '../../records/writing/audit-log.ts'
import { collectionModel } from '../../records/engine/collection-model.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { fieldPicker } from '../../records/presentation/pick-fields.ts'
import { isJsonObject } from '../../records/model/json-value.ts'
import { badRequest, notFound } from '../../records/model/record-error.ts'
import { readBody } from '../../http/requests/request-body.ts'
import { askedByAdmin, type RequestContext } from '../../http/requests/request-context.ts'

/** A collection as it is, and the one thing of it that admins change: in which ways it signs somebody in. */
export function signInWaysRoute(engine: Engine, { ways, providers, sendsMail }: Accounts): Hono<RequestContext> {
  const find = (nameOrId: string) => {
    const collection = engine.collections.find(nameOrId)
    if (collection === undefined) throw notFound()
    return collection
  }
  const model = async (nameOrId: string) => {
    const collection = find(nameOrId)
    const plain = collectionModel(collection, engine.collections)
    if (collection.type !== 'auth') return plain
    const door = doorOf(collection.name)
    const oauth2 = door === 'users' ? providersForm(await providers.load()) : { enabled: false, providers: [] }
    return { ...plain, ...signInForm((await ways.load())[door]), oauth2 }
  }

  return new Hono<RequestContext>()
    .get('/api/collections/:collection', async (c) => {
      askedByAdmin(c)
      return c.json(fieldPicker(c.req.query('fields') ?? '')(await model(c.req.param('collection'))))
    })
    .patch('/api/collections/:collection', async (c) => {
      const { actor } = askedByAdmin(c)
      const collection = engine.collections.find(c.req.param('collection'))
      const sent = await readBody(c)
      if (collection?.type !== 'auth' || !isSignInChange(sent)) throw fixed()
      const { oauth2, ...rest } = sent
      if (oauth2 !== undefined && (collection.viewOf !== undefined || !isJsonObject(oauth2))) throw fixed()
      const door = doorOf(collection.name)
      const [settings, before] = [await ways.load(), await providers.load()]
      // All of it is looked at before any of it is stored.
      const changed = changedWays(settings[door], rest, await sendsMail())
      const vouching = oauth2 === undefined || !isJsonObject(oauth2) ? undefined : changedProviders(before, oauth2)
      const note = (unit: UnitOfWork, changes: Changes) =>
        noteInAudit(unit, engine.clock.now(), { by: actor, action: 'update', target: 'sign-in', name: collection.name, changes })
      if (Object.keys(rest).length > 0) {
        const changes = changesBetween(signInForm(settings[door]), signInForm(changed), () => false)
        await ways.save({ ...settings, [door]: changed }, (unit) => note(unit, changes))
      }
      if (vouching !== undefined) {
        const changes = changesBetween({ oauth2: providersForm(before) }, { oauth2: providersForm(vouching) }, () => false)
        await providers.save(vouching, (unit) => note(unit, changes))
      }
      return c.json(fieldPicker(c.req.query('fields') ?? '')(await model(collection.name)))
    })
}

const fixed = () => badRequest('The collections of this hub are fixed.')
