import type { Role } from './client.ts'
import { mayGiveAccess, type SystemTag, type TagSource } from './system-tags.ts'

/**
 * Unsaved changes of a system's tags in a form: tags to add, to remove, to accept as trusted, and no longer to accept. `typed` is the text
 * in the field for new tags.
 */
export type TagDraft = {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly accepted: readonly string[]
  readonly withdrawn: readonly string[]
  /** Text that the user has typed in the form's field for new tags and has not yet added to the list of tags. */
  readonly typed: string
}

export const emptyTagDraft: TagDraft = { added: [], removed: [], accepted: [], withdrawn: [], typed: '' }

/**
 * Returns the draft of tag changes with these tags to add. `present` are the tags that the system has: adding one of them only cancels its
 * removal.
 */
export function withAdded(draft: TagDraft, tags: readonly string[], present: readonly SystemTag[]): TagDraft {
  const had = new Set(present.map(({ text }) => text))
  return {
    ...draft,
    removed: draft.removed.filter((tag) => !tags.includes(tag)),
    added: [...new Set([...draft.added, ...tags.filter((tag) => !had.has(tag))])],
  }
}

/**
 * Returns the draft of tag changes after the user has removed this tag in the form. A tag that was to be added is dropped from the draft;
 * one that the system has is marked for removal.
 */
export function withRemoved(draft: TagDraft, tag: string): TagDraft {
  const isNew = draft.added.includes(tag)
  return {
    ...draft,
    added: draft.added.filter((one) => one !== tag),
    accepted: draft.accepted.filter((one) => one !== tag),
    removed: isNew ? draft.removed : [...new Set([...draft.removed, tag])],
  }
}

/**
 * Returns the draft of tag changes in which an admin accepts a tag of the system as trusted, if `isAccepted`. Otherwise this acceptance is
 * dropped from the draft.
 */
export const withAcceptance = (draft: TagDraft, tag: string, isAccepted: boolean): TagDraft => ({
  ...draft,
  accepted: isAccepted ? [...new Set([...draft.accepted, tag])] : draft.accepted.filter((one) => one !== tag),
})

/**
 * Returns the draft of tag changes in which an admin's earlier acceptance of a tag as trusted is withdrawn, if `isWithdrawn`. Otherwise
 * this withdrawal is dropped from the draft.
 */
export const withWithdrawal = (draft: TagDraft, tag: string, isWithdrawn: boolean): TagDraft => ({
  ...draft,
  withdrawn: isWithdrawn ? [...new Set([...draft.withdrawn, tag])] : draft.withdrawn.filter((one) => one !== tag),
})

/**
 * Change of a system's tags as the records API takes it in a PATCH body. `tags+` adds tags, and for an admin accepts existing ones. `tags-`
 * removes tags, or withdraws the acceptance of a tag that an agent or rule also sets. Other tags stay.
 */
export type TagChange = { readonly 'tags+'?: readonly string[]; readonly 'tags-'?: readonly string[] }

/** Returns the change (PATCH body of the records API) for a draft of tag changes; an empty object when the draft changes nothing. */
export function tagChangeOf({ added, removed, accepted, withdrawn }: TagDraft): TagChange {
  const [plus, minus] = [
    [...added, ...accepted],
    [...removed, ...withdrawn],
  ]
  return { ...(plus.length === 0 ? {} : { 'tags+': plus }), ...(minus.length === 0 ? {} : { 'tags-': minus }) }
}

const ownSources: Readonly<Record<Role, readonly TagSource[]>> = {
  admin: ['admin', 'token', 'person'],
  user: ['person'],
  readonly: [],
}

/**
 * Returns true when a user of this role can remove the tag; never for `readonly`. The hub refuses to remove a tag that another source also
 * sets, such as the agent. If the hub sent no sources, the result is true for all other roles and the hub decides.
 */
export const mayRemove = ({ sources }: SystemTag, role: Role): boolean =>
  role !== 'readonly' && sources.every((source) => ownSources[role].includes(source))

/**
 * Returns true when a user of this role can withdraw an admin's acceptance of a tag. The tag itself stays then, because its agent or a rule
 * sets it too.
 */
export const mayWithdraw = (tag: SystemTag, role: Role): boolean => role === 'admin' && mayGiveAccess(tag) && !mayRemove(tag, role)
