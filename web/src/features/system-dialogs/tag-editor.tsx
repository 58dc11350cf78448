import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Role } from '../../api/client.ts'
import { systemsQuery } from '../../api/queries.ts'
import { countTags, mayGiveAccess, type SystemTag } from '../../api/system-tags.ts'
import { mayRemove, mayWithdraw, withAcceptance, withAdded, withRemoved, withWithdrawal, type TagDraft } from '../../api/tag-draft.ts'
import { tagErrorOf } from '../../format/tag-error.ts'
import { tagsIn } from '../../format/tag-text.ts'
import { aboutTag, sourcesText } from '../../api/tag-words.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { TagField } from '../../ui/tag-field.tsx'
import { Tag } from '../../ui/tag.tsx'
import * as words from '../../words/messages.js'

type TagEditorProps = { tags: readonly SystemTag[]; draft: TagDraft; role: Role; onChange: (draft: TagDraft) => void }

/**
 * React component: part of a form that edits a system's tags: the present `tags`, and a field for new ones. Admins can also accept an
 * untrusted tag. `onChange` gets the unsaved changes as new `draft`.
 */
export function TagEditor({ tags, draft, role, onChange }: TagEditorProps) {
  const { data: systems } = useQuery(systemsQuery)
  const counts = useMemo(() => countTags(systems ?? []), [systems])
  const present = tags.filter(({ text }) => !draft.removed.includes(text))
  const taken = new Set([...present.map(({ text }) => text), ...draft.added])
  const add = (text: string) => {
    // An invalid text stays in the field, beside its error.
    if (tagErrorOf(text) === undefined) onChange({ ...withAdded(draft, tagsIn(text), tags), typed: '' })
  }
  return (
    <>
      {taken.size === 0 ? (
        <p className="text-muted">{words.tags_none()}</p>
      ) : (
        <ul aria-label={words.tags()} className="flex max-h-64 flex-col overflow-y-auto">
          {present.map((tag) => (
            <TagLine key={tag.text} tag={tag} draft={draft} role={role} onChange={onChange} />
          ))}
          {draft.added.map((text) => (
            <li key={text} className="flex min-h-8 items-center gap-2">
              <Tag text={text} />
              <span className="text-small text-muted">{words.tag_new()}</span>
              <RemoveButton text={text} onPress={() => onChange(withRemoved(draft, text))} />
            </li>
          ))}
        </ul>
      )}
      {role !== 'readonly' && (
        <TagField
          label={words.tags_add()}
          name="tags"
          hint={words.tags_add_hint()}
          error={tagErrorOf(draft.typed)}
          typed={draft.typed}
          proposals={[...counts.keys()].filter((tag) => !taken.has(tag))}
          onType={(typed) => onChange({ ...draft, typed })}
          onAdd={add}
        />
      )}
    </>
  )
}

type TagLineProps = Omit<TagEditorProps, 'tags'> & { tag: SystemTag }

function TagLine({ tag, draft, role, onChange }: TagLineProps) {
  const { text } = tag
  const isAccepted = draft.accepted.includes(text)
  const isWithdrawn = draft.withdrawn.includes(text)
  const givesAccess = isAccepted || (mayGiveAccess(tag) && !isWithdrawn)
  const by = words.tag_set_by({ sources: sourcesText(tag) })
  const kept = givesAccess ? by : words.tag_not_accepted({ by })
  return (
    <li className="flex min-h-8 flex-wrap items-center gap-x-2">
      <span data-tooltip={aboutTag(tag)} className="flex min-w-0">
        <Tag text={text} isDashed={!givesAccess} />
      </span>
      <span className="text-small text-muted">{isAccepted ? words.tag_accepted() : isWithdrawn ? words.tag_withdrawn() : kept}</span>
      <span className="ml-auto flex shrink-0 items-center gap-1">
        {role === 'admin' && !mayGiveAccess(tag) && <AcceptButton text={text} isAccepted={isAccepted} draft={draft} onChange={onChange} />}
        {mayWithdraw(tag, role) && <WithdrawButton text={text} isWithdrawn={isWithdrawn} draft={draft} onChange={onChange} />}
        {mayRemove(tag, role) && <RemoveButton text={text} onPress={() => onChange(withRemoved(draft, text))} />}
      </span>
    </li>
  )
}

type TagButtonProps = Pick<TagEditorProps, 'draft' | 'onChange'> & { text: string }

const AcceptButton = ({ text, isAccepted, draft, onChange }: TagButtonProps & { isAccepted: boolean }) => (
  <Toggle
    label={isAccepted ? words.undo() : words.tag_accept()}
    name={(isAccepted ? words.tag_undo_accept : words.tag_accept_one)({ tag: text })}
    onPress={() => onChange(withAcceptance(draft, text, !isAccepted))}
  />
)

const WithdrawButton = ({ text, isWithdrawn, draft, onChange }: TagButtonProps & { isWithdrawn: boolean }) => (
  <Toggle
    label={isWithdrawn ? words.undo() : words.tag_withdraw()}
    name={(isWithdrawn ? words.tag_undo_withdraw : words.tag_withdraw_one)({ tag: text })}
    onPress={() => onChange(withWithdrawal(draft, text, !isWithdrawn))}
  />
)

/** React component: small button within a line of text. `label` is its visible text, `name` its accessible name. */
const Toggle = ({ label, name, onPress }: { label: string; name: string; onPress: () => void }) => (
  <Button className="px-2 text-note" aria-label={name} onClick={onPress}>
    {label}
  </Button>
)

const RemoveButton = ({ text, onPress }: { text: string; onPress: () => void }) => (
  <Button look="icon" className="ml-auto size-7" aria-label={words.tag_remove({ tag: text })} onClick={onPress}>
    <Icon name="close" className="size-3.5" />
  </Button>
)
