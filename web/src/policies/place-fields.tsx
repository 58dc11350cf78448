import { useMemo } from 'react'
import { alertKinds, type AlertKind } from '../api/alert-kinds.ts'
import { noPolicyValues, type AlertPolicy } from '../api/alert-policies.ts'
import type { System } from '../api/system-record.ts'
import { countTags, mayGiveAccess } from '../api/system-tags.ts'
import { SelectField } from '../ui/select-field.tsx'
import { TagField } from '../ui/tag-field.tsx'
import { TextField } from '../ui/text-field.tsx'
import * as words from '../words/messages.js'

/** Alert policy as the user edits it, with the range of systems that the user has chosen. */
export type PolicyDraft = Omit<AlertPolicy, 'id'> & { readonly range: 'everything' | 'tag' | 'system' }

type PlaceFieldsProps = {
  draft: PolicyDraft
  kind: AlertKind | undefined
  systems: readonly System[]
  onChange: (some: Partial<PolicyDraft>) => void
}

/**
 * React component: form fields of a new alert policy: systems (all, or those with a tag), alert kind, and for some kinds a part. `onChange`
 * gets the changed values of `draft`.
 */
export function PlaceFields({ draft, kind, systems, onChange }: PlaceFieldsProps) {
  const proposals = useMemo(() => [...countTags(systems.map(({ tags }) => ({ tags: tags.filter(mayGiveAccess) }))).keys()], [systems])
  return (
    <>
      <SelectField
        label={words.policy_field_range()}
        name="range"
        choices={[
          { value: 'everything', label: words.policy_everything() },
          { value: 'tag', label: words.policy_range_tag() },
        ]}
        value={draft.range === 'system' ? 'everything' : draft.range}
        onChange={(range) => onChange({ range })}
      />
      {draft.range === 'tag' && (
        <TagField
          label={words.grant_field()}
          name="tag"
          hint={words.policy_hint_tag()}
          isSingle
          typed={draft.tag}
          proposals={proposals}
          onType={(tag) => onChange({ tag })}
          onAdd={(tag) => onChange({ tag })}
        />
      )}
      <SelectField
        label={words.policy_field_kind()}
        name="name"
        choices={alertKinds.map(({ name, label }) => ({ value: name, label: label() }))}
        value={draft.name}
        onChange={(name) =>
          onChange({ name, target: '', values: { ...noPolicyValues, off: draft.values.off, severity: draft.values.severity } })
        }
      />
      {kind?.part !== undefined && (
        <TextField
          label={words.policy_field_target()}
          name="target"
          hint={words.policy_hint_target()}
          autoComplete="off"
          value={draft.target ?? ''}
          onChange={({ target }) => onChange({ target: target.value })}
        />
      )}
    </>
  )
}
