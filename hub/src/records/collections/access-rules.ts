/** Text: part of an access rule (filter expression) that only signed-in callers match. It does not apply to admins. */
export const signedIn = '@request.auth.id != ""'
/** Text: part of an access rule (filter expression) that read-only accounts do not match. */
export const mayWrite = '@request.auth.role != "readonly"'

/** Text of an access rule (filter expression) that matches records whose field `user` is the caller. */
export const owner = `${signedIn} && user = @request.auth.id`

/**
 * Text of an access rule (filter expression) that matches records of the caller whose system is shared with the caller. Used for alerts.
 */
export const ownerWithSystem = `${owner} && system.users.id ?= @request.auth.id`

/** Access rule (filter expression) for reading records of a system: it matches those whose system is shared with the caller. */
export const systemMember = `${signedIn} && system.users.id ?= @request.auth.id`

/**
 * Access rule (filter expression) for writing records of a system: it matches those whose system is shared with the caller. For a caller
 * with a read-only account it matches nothing.
 */
export const systemManager = `${systemMember} && ${mayWrite}`

/** Text of an access rule (filter expression) that matches records of `systems` that are shared with the caller. */
export const member = `${signedIn} && users.id ?= @request.auth.id`

/**
 * Text of an access rule (filter expression) that matches records of `systems` that are shared with the caller, unless the caller's account
 * is read-only.
 */
export const manager = `${member} && ${mayWrite}`

/** Text of an access rule (filter expression) that matches only the caller's own account. */
export const ownAccount = 'id = @request.auth.id'

/**
 * Access rule (filter expression) that matches records about the caller's own sign-ins: `recordRef` is the caller's id, `collectionRef` the
 * caller's collection.
 */
export const ownTrace = "@request.auth.id != '' && recordRef = @request.auth.id && collectionRef = @request.auth.collectionId"
