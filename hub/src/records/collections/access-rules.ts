/** The access rules of the collections, as texts of the filter language. Admins are not bound by them. */

const signedIn = '@request.auth.id != ""'
const mayWrite = '@request.auth.role != "readonly"'

/** Records whose `user` is the one who asks. */
export const owner = `${signedIn} && user = @request.auth.id`

/** An owner with whom the record's system is shared: an alert tells its owner about that system. */
export const ownerWithSystem = `${owner} && system.users.id ?= @request.auth.id`

/** People with whom the record's system is shared. */
export const systemMember = `${signedIn} && system.users.id ?= @request.auth.id`

/** The same without accounts that may only read. */
export const systemManager = `${systemMember} && ${mayWrite}`

/** People with whom a record of `systems` is shared. */
export const member = `${signedIn} && users.id ?= @request.auth.id`

/** The same without accounts that may only read. */
export const manager = `${member} && ${mayWrite}`

/** One's own account. */
export const ownAccount = 'id = @request.auth.id'

/** Traces of one's own sign-ins, in the collection that one signed in through. */
export const ownTrace = "@request.auth.id != '' && recordRef = @request.auth.id && collectionRef = @request.auth.collectionId"
