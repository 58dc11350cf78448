import type { Role } from './client.ts'
import { mayGiveAccess, type SystemTag, type TagSource } from './system-tags.ts'

/**
 * Unsaved changes of a system's tags. Accepted tags were there before, from an untrusted source; for withdrawn ones an admin ends
 * that acceptance. No tag is in two of the lists.
 */
export type TagDraft = {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly accepted: readonly string[]
  readonly withdrawn: readonly string[]
  /** Text in the field for new tags that is not among `added` yet. */
  readonly typed: string
}

export const emptyTagDraft: TagDraft = { added: [], removed: [], accepted: [], withdrawn: [], typed: '' }

/** Returns the draft after tags were added. Adding a removed tag keeps it; adding a tag that the system has changes nothing. */
export function withAdded(draft: TagDraft, tags: readonly string[], present: readonly SystemTag[]): TagDraft {
  const had = new Set(present.map(({ text }) => text))
  return {
    ...draft,
    removed: draft.removed.filter((tag) => !tags.includes(tag)),
    added: [...new Set([...draft.added, ...tags.filter((tag) => !had.has(tag))])],
  }
}

/** Returns the draft after a tag was removed: an added tag is no longer added, a tag of the system will be removed. */
export function withRemoved(draft: TagDraft, tag: string): TagDraft {
  const isNew = draft.added.includes(tag)
  return {
    ...draft,
    added: draft.added.filter((one) => one !== tag),
    accepted: draft.accepted.filter((one) => one !== tag),
    removed: isNew ? draft.removed : [...new Set([...draft.removed, tag])],
  }
}

/** Returns the draft with a tag of the system accepted, or no longer accepted. */
export const withAcceptance = (draft: TagDraft, tag: string, isAccepted: boolean): TagDraft => ({
  ...draft,
  accepted: isAccepted ? [...new Set([...draft.accepted, tag])] : draft.accepted.filter((one) => one !== tag),
})

/** Returns the draft with the acceptance of a tag of the system withdrawn, or kept. */
export const withWithdrawal = (draft: TagDraft, tag: string, isWithdrawn: boolean): TagDraft => ({
  ...draft,
  withdrawn: isWithdrawn ? [...new Set([...draft.withdrawn, tag])] : draft.withdrawn.filter((one) => one !== tag),
})

/** Change of tags as the records API takes it: `tags+` adds (and accepts), `tags-` removes. Other tags of the system stay as they are. */
export type TagChange = { readonly 'tags+'?: readonly string[]; readonly 'tags-'?: readonly string[] }

/** Returns the change that the API needs for a draft; an empty object when the draft changes nothing. */
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
 * Returns true when a user of this role can remove a tag. The hub refuses to remove a tag that another source keeps, such as the agent.
 * Sources that the hub did not send are left to the hub's decision.
 */
export const mayRemove = ({ sources }: SystemTag, role: Role): boolean =>
  role !== 'readonly' && sources.every((source) => ownSources[role].includes(source))

/** Returns true when a user of this role can withdraw the acceptance of a tag: it then stays, as its agent or a rule sets it too. */
export const mayWithdraw = (tag: SystemTag, role: Role): boolean => role === 'admin' && mayGiveAccess(tag) && !mayRemove(tag, role)
