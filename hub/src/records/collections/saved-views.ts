import { mayWrite, owner, signedIn } from './access-rules.ts'
import { idForm, type Collection } from '../model/collection.ts'
import { badRequest } from '../model/record-error.ts'
import { textOf } from '../model/stored-record.ts'

/** Maximum number of saved views per account: 200. A request to create one more is rejected with `validation_too_many`. */
export const MOST_VIEWS = 200

/**
 * Access rule (filter expression) for a saved view that is stored: it belongs to the signed-in user. A read-only account may store only
 * views that are not shared with others.
 */
const ownView = `${owner} && (shared = false || ${mayWrite})`

/**
 * Definition of the collection `saved_views`: named views of the page All Systems. `search` is the search part of the page's URL. Everybody
 * who is signed in may read a shared view; only admins and its owner change it. An owner with a read-only account can only delete it or
 * make it private.
 */
export const savedViews: Collection = {
  name: 'saved_views',
  id: 'pbc_2583601470',
  type: 'base',
  storage: 'table',
  idForm: idForm(15),
  fields: [
    { kind: 'relation', name: 'user', to: 'users', required: true, cascade: true },
    { kind: 'text', name: 'name', required: true, maxLength: 100 },
    { kind: 'flag', name: 'shared' },
    { kind: 'text', name: 'search', maxLength: 2_000 },
    { kind: 'created', name: 'created' },
    { kind: 'updated', name: 'updated' },
  ],
  rules: {
    list: `${signedIn} && (user = @request.auth.id || shared = true)`,
    view: `${signedIn} && (user = @request.auth.id || shared = true)`,
    create: ownView,
    update: owner,
    delete: owner,
    stored: ownView,
  },
  unique: [{ fields: ['user', 'name'] }],
  hooks: {
    followed: async (_previous, next, { unit, store }) => {
      if (next === undefined) return
      const views = await store.loadWhere('saved_views', { user: textOf(next, 'user') }, unit)
      if (views.length <= MOST_VIEWS) return
      const message = `An account can have at most ${MOST_VIEWS} saved views.`
      throw badRequest('Failed to save the view.', { name: { code: 'validation_too_many', message } })
    },
  },
}
