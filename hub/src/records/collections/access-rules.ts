/** Access rules of the collections, as filter expressions. They do not apply to admins. */

const signedIn = '@request.auth.id != ""'
const mayWrite = '@request.auth.role != "readonly"'

/** Records whose `user` is the caller. */
export const owner = `${signedIn} && user = @request.auth.id`

/** The record's owner, if the record's system is shared with them: an alert shows its owner data of that system. */
export const ownerWithSystem = `${owner} && system.users.id ?= @request.auth.id`

/** Callers with whom the record's system is shared. */
export const systemMember = `${signedIn} && system.users.id ?= @request.auth.id`

/** {@link systemMember} without read-only accounts. */
export const systemManager = `${systemMember} && ${mayWrite}`

/** Callers with whom a record of `systems` is shared. */
export const member = `${signedIn} && users.id ?= @request.auth.id`

/** {@link member} without read-only accounts. */
export const manager = `${member} && ${mayWrite}`

/** The caller's own account. */
export const ownAccount = 'id = @request.auth.id'

/** Traces of the caller's own sign-ins, in the collection through which the caller signed in. */
export const ownTrace = "@request.auth.id != '' && recordRef = @request.auth.id && collectionRef = @request.auth.collectionId"
