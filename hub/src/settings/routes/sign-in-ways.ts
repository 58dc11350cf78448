import type { Accounts } from '../../accounts/accounts.ts'
import { endSessionsWithoutFactor } from '../../accounts/required-factors.ts'
import { changedProviders, loadProviders, providersForm, storeProviders, usableProviders } from '../../accounts/providers/providers.ts'
import {
  changedWays,
  isSignInChange,
  loadSignIn,
  refuseLastWay,
  refuseLockout,
  SIGN_IN_LOCK,
  signInCollectionOf,
  signInForm,
  storeSignIn,
  withoutOverridden,
} from '../../accounts/sessions/sign-in-settings.ts'
import { changesBetween, noteInAudit, type Changes } from '../../records/writing/audit-log.ts'
import { collectionModel, collectionModelSchema } from '../../records/engine/collection-model.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { isJsonObject } from '../../platform/json.ts'
import { badRequest, notFound } from '../../records/model/record-error.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import { fields, sentFields } from '../../http/routing/field-schemas.ts'

type SignInWayParts = { readonly engine: Engine; readonly accounts: Pick<Accounts, 'ways' | 'providers' | 'sendsMail'> }

export const readCollection = defineRoute('GET /api/collections/:collection', {
  tag: 'back-office',
  summary: 'Reads one collection: its fields, rules and ways to sign in',
  access: 'admin',
  response: collectionModelSchema,
  picksFields: true,
  handle: ({ params }, parts: SignInWayParts) => modelOf(parts, params.collection),
})

export const changeSignInWays = defineRoute('PATCH /api/collections/:collection', {
  tag: 'back-office',
  summary: 'Changes in which ways a collection signs accounts in',
  access: 'admin',
  body: fields(
    sentFields({ passwordAuth: 'object', otp: 'object', mfa: 'object', secondFactor: 'object', authAlert: 'object', oauth2: 'object' }),
  ),
  response: collectionModelSchema,
  picksFields: true,
  async handle({ actor, params, body }, parts: SignInWayParts) {
    const { engine } = parts
    const { ways, providers, sendsMail } = parts.accounts
    const collection = engine.collections.find(params.collection)
    const sent = await body()
    if (collection?.type !== 'auth' || !isSignInChange(sent)) throw fixed()
    const { oauth2, ...rest } = sent
    if (oauth2 !== undefined && (collection.viewOf !== undefined || !isJsonObject(oauth2))) throw fixed()
    const door = signInCollectionOf(collection.name)
    const sends = await sendsMail()
    // One transaction under a lock: a change that somebody else makes meanwhile is neither lost nor left unchecked.
    await engine.database.write(async (unit) => {
      await unit.alone(SIGN_IN_LOCK)
      const note = (changes: Changes) =>
        noteInAudit(unit, engine.clock.now(), { by: actor, action: 'update', target: 'sign-in', name: collection.name, changes })
      if (Object.keys(rest).length > 0) {
        const settings = await loadSignIn(unit.sql)
        const [stored, shown] = [settings[door], ways.effective(settings)[door]]
        const changed = changedWays(stored, withoutOverridden(rest, signInForm(stored), signInForm(shown)), sends)
        const after = { ...settings, [door]: changed }
        const hasProvider = door === 'users' && usableProviders(await loadProviders(unit.sql, engine.secrets)).length > 0
        refuseLockout(shown, ways.effective(after)[door], hasProvider)
        if (changed.secondFactor.required && !stored.secondFactor.required)
          await endSessionsWithoutFactor(engine, unit, actor, door === '_superusers')
        await note(changesBetween(signInForm(stored), signInForm(changed), () => false))
        await storeSignIn(unit, after)
      }
      if (isJsonObject(oauth2)) {
        const before = await loadProviders(unit.sql, engine.secrets)
        const [stored, shown] = [providersForm(before), providersForm(providers.effective(before))]
        const changed = changedProviders(before, withoutOverridden(oauth2, stored, shown))
        if (usableProviders(before).length > 0 && usableProviders(changed).length === 0)
          refuseLastWay(ways.effective(await loadSignIn(unit.sql)).users)
        await note(changesBetween({ oauth2: stored }, { oauth2: providersForm(changed) }, () => false))
        await storeProviders(unit, engine.secrets, changed)
      }
    })
    return modelOf(parts, collection.name)
  },
})

async function modelOf({ engine, accounts: { ways, providers } }: SignInWayParts, nameOrId: string) {
  const collection = engine.collections.find(nameOrId)
  if (collection === undefined) throw notFound()
  const plain = collectionModel(collection, engine.collections)
  if (collection.type !== 'auth') return plain
  const door = signInCollectionOf(collection.name)
  const oauth2 = door === 'users' ? providersForm(await providers.load()) : { enabled: false, providers: [] }
  return { ...plain, ...signInForm((await ways.load())[door]), oauth2 }
}

const fixed = () => badRequest('The collections of this hub are fixed.')
