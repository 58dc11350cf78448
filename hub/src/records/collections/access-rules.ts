/**
 * Text of a condition that other access rules (filter expressions) contain: true only for signed-in users. Admins pass without any access
 * rule.
 */
export const signedIn = '@request.auth.id != ""'
/**
 * Text of a condition that other access rules (filter expressions) contain: false for users with the role `readonly`, true for all others,
 * also for guests.
 */
export const mayWrite = '@request.auth.role != "readonly"'

/** Access rule (filter expression) that matches records whose field `user` is the signed-in user. */
export const owner = `${signedIn} && user = @request.auth.id`

/**
 * Returns a condition, as text, for access rules. It is true if the signed-in user is in the system's `users` or has a grant of one of its
 * tags. `path` leads from the record to its system (`system.`, `''`). `granted` names the account's field with the granted tags
 * (`viewTags`, `changeTags`).
 */
const isOfCaller = (path: '' | 'system.', granted: 'viewTags' | 'changeTags'): string =>
  `(${path}users.id ?= @request.auth.id || ${path}accessTags ?= @request.auth.${granted})`

/** Access rule (filter expression) of alerts: matches alerts of the signed-in user whose system the user may view. */
export const ownerWithSystem = `${owner} && ${isOfCaller('system.', 'viewTags')}`

/**
 * Access rule (filter expression) of alert policies: matches records of the signed-in user that name no system, or one that the user may
 * view.
 */
export const ownWithAnySystem = `${owner} && (system = "" || ${isOfCaller('system.', 'viewTags')})`

/**
 * Access rule (filter expression) for reading records that belong to a system by the field `system`: matches if the signed-in user may view
 * that system.
 */
export const systemMember = `${signedIn} && ${isOfCaller('system.', 'viewTags')}`

/**
 * Access rule (filter expression) for writing records that belong to a system by the field `system`. It matches if the signed-in user may
 * change that system and is not read-only.
 */
export const systemManager = `${signedIn} && ${isOfCaller('system.', 'changeTags')} && ${mayWrite}`

/** Access rule (filter expression) that matches those records of `systems` that the signed-in user may view. */
export const member = `${signedIn} && ${isOfCaller('', 'viewTags')}`

/**
 * Access rule (filter expression) that matches those records of `systems` that the signed-in user may change. It never matches for a
 * read-only account.
 */
export const manager = `${signedIn} && ${isOfCaller('', 'changeTags')} && ${mayWrite}`

/** Access rule (filter expression) that matches only the signed-in user's own account. */
export const ownAccount = 'id = @request.auth.id'

/**
 * Access rule (filter expression) for records that sign-ins create, such as one-time codes: matches the signed-in user's own ones, by
 * `recordRef` (user id) and `collectionRef`.
 */
export const ownTrace = "@request.auth.id != '' && recordRef = @request.auth.id && collectionRef = @request.auth.collectionId"
