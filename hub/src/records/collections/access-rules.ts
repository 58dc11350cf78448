/**
 * Access rule (filter expression) for signed-in callers. The access rules of collections are built from such expressions; they do not apply
 * to admins.
 */

const signedIn = '@request.auth.id != ""'
const mayWrite = '@request.auth.role != "readonly"'

/** Access rule (filter expression) for records whose field `user` is the caller. */
export const owner = `${signedIn} && user = @request.auth.id`

/**
 * Access rule (filter expression) for the record's owner while the record's system is shared with the owner. Used for alerts, which show
 * data of the system.
 */
export const ownerWithSystem = `${owner} && system.users.id ?= @request.auth.id`

/** Access rule (filter expression) for callers with whom the record's system is shared. */
export const systemMember = `${signedIn} && system.users.id ?= @request.auth.id`

/** Access rule (filter expression) for callers with whom the record's system is shared, except read-only accounts. */
export const systemManager = `${systemMember} && ${mayWrite}`

/** Access rule (filter expression) of the collection `systems`: callers with whom the system is shared. */
export const member = `${signedIn} && users.id ?= @request.auth.id`

/** Access rule (filter expression) of the collection `systems`: callers with whom the system is shared, except read-only accounts. */
export const manager = `${member} && ${mayWrite}`

/** Access rule (filter expression) of an account for itself: the record is the caller's own account. */
export const ownAccount = 'id = @request.auth.id'

/**
 * Access rule for records of the caller's own sign-ins. The record must also name the collection (`users` or `_superusers`) through which
 * the caller signed in.
 */
export const ownTrace = "@request.auth.id != '' && recordRef = @request.auth.id && collectionRef = @request.auth.collectionId"
