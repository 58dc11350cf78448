/** Text: part of an access rule (filter expression) that only signed-in callers match. It does not apply to admins. */
export const signedIn = '@request.auth.id != ""'
/** Text: part of an access rule (filter expression) that read-only accounts do not match. */
export const mayWrite = '@request.auth.role != "readonly"'

/** Text of an access rule (filter expression) that matches records whose field `user` is the caller. */
export const owner = `${signedIn} && user = @request.auth.id`

/**
 * Part of an access rule that matches systems of the caller, and those with a trusted tag that is granted to the caller. `path` leads from
 * the record to its system, `granted` is the field of the caller's account with the tags.
 */
const isOfCaller = (path: '' | 'system.', granted: 'viewTags' | 'changeTags'): string =>
  `(${path}users.id ?= @request.auth.id || ${path}accessTags ?= @request.auth.${granted})`

/** Text of an access rule (filter expression) that matches records of the caller whose system the caller may view. Used for alerts. */
export const ownerWithSystem = `${owner} && ${isOfCaller('system.', 'viewTags')}`

/**
 * Text of an access rule (filter expression) that matches records of the caller, if they name no system or one that the caller may view.
 * Used for alert policies.
 */
export const ownWithAnySystem = `${owner} && (system = "" || ${isOfCaller('system.', 'viewTags')})`

/** Access rule (filter expression) for reading records of a system: it matches those whose system the caller may view. */
export const systemMember = `${signedIn} && ${isOfCaller('system.', 'viewTags')}`

/**
 * Access rule (filter expression) for writing records of a system: it matches those whose system the caller may change. For a caller with a
 * read-only account it matches nothing.
 */
export const systemManager = `${signedIn} && ${isOfCaller('system.', 'changeTags')} && ${mayWrite}`

/** Text of an access rule (filter expression) that matches records of `systems` that the caller may view. */
export const member = `${signedIn} && ${isOfCaller('', 'viewTags')}`

/**
 * Text of an access rule (filter expression) that matches records of `systems` that the caller may change, unless the caller's account is
 * read-only.
 */
export const manager = `${signedIn} && ${isOfCaller('', 'changeTags')} && ${mayWrite}`

/** Text of an access rule (filter expression) that matches only the caller's own account. */
export const ownAccount = 'id = @request.auth.id'

/**
 * Access rule (filter expression) that matches records about the caller's own sign-ins: `recordRef` is the caller's id, `collectionRef` the
 * caller's collection.
 */
export const ownTrace = "@request.auth.id != '' && recordRef = @request.auth.id && collectionRef = @request.auth.collectionId"
