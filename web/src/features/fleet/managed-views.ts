import type { SignedInUser } from '../../api/client.ts'
import type { SavedView } from '../../api/saved-views.ts'

/**
 * Returns the saved views of All Systems that a user may rename, share and delete. They are the own ones, and for an admin also the shared
 * ones of others.
 */
export const managedViews = (views: readonly SavedView[], { role }: Pick<SignedInUser, 'role'>): readonly SavedView[] =>
  views.filter(({ isOwn }) => isOwn || role === 'admin')
