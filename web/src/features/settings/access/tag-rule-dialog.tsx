import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { TagRule } from '../../../api/access-lists.ts'
import { matchingSystemsQuery, saveTagRule, type FilterResult } from '../../../api/change-access.ts'
import { fieldMessagesOf } from '../../../api/field-messages.ts'
import { messageOf } from '../../../api/request-failed.ts'
import type { System } from '../../../api/system-record.ts'
import { countTags } from '../../../api/system-tags.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import type { FieldErrors } from '../../../ui/form-errors.ts'
import { Form } from '../../../ui/form.tsx'
import { TagField } from '../../../ui/tag-field.tsx'
import { TextAreaField } from '../../../ui/text-area-field.tsx'
import * as words from '../../../words/messages.js'
import { readSingleTag } from '../../../format/single-tag.ts'

type TagRuleDialogProps = {
  /** Tag rule that the dialog edits; `undefined` to add a tag rule. */
  rule: TagRule | undefined
  systems: readonly System[]
  onClose: () => void
}

/** Delay in ms, 400, from the last keystroke in a tag rule's filter field until the hub counts the matching systems. */
const REST_MS = 400

/** List of example filters for tag rules: for each a function that returns the translated text of its button, and the filter expression. */
const examples = [
  { name: words.tag_rule_example_name, filter: 'name ~ "web"' },
  { name: words.tag_rule_example_host, filter: 'host ~ "10.0.%"' },
  { name: words.tag_rule_example_os, filter: 'system_details_via_system.os_name ~ "debian"' },
  { name: words.tag_rule_example_cores, filter: 'system_details_via_system.cores >= 16' },
] as const

/**
 * React component: dialog that adds or edits a tag rule, which gives a tag to every system that matches a filter expression. It shows how
 * many systems match now.
 */
export function TagRuleDialog({ rule, systems, onClose }: TagRuleDialogProps) {
  const [tag, setTag] = useState(rule?.tag ?? '')
  const [filter, setFilter] = useState(rule?.filter ?? '')
  const proposals = useMemo(() => [...countTags(systems).keys()], [systems])
  const saving = useMutation({
    mutationFn: (wanted: string) => saveTagRule({ tag: wanted, filter: filter.trim() }, rule?.id),
    onSuccess: onClose,
  })
  const refused = fieldMessagesOf(saving.error)
  const read = readSingleTag(tag)
  const check = (): FieldErrors => ({
    ...('error' in read ? { tag: read.error } : {}),
    ...(filter.trim() === '' ? { filter: words.problem_required() } : {}),
  })
  return (
    <Dialog
      title={rule === undefined ? words.tag_rule_add() : words.tag_rule_edit_title({ tag: rule.tag })}
      description={words.tag_rule_about()}
      onClose={onClose}
    >
      <Form check={check} refused={refused} onSubmit={() => 'tag' in read && saving.mutate(read.tag)}>
        <TagField label={words.grant_field()} name="tag" isSingle typed={tag} proposals={proposals} onType={setTag} onAdd={setTag} />
        <TextAreaField
          label={words.tag_rule_filter()}
          name="filter"
          hint={words.tag_rule_filter_hint()}
          rows={3}
          value={filter}
          onChange={setFilter}
        />
        <ul aria-label={words.tag_rule_examples()} className="flex flex-wrap gap-1">
          {examples.map(({ name, filter: example }) => (
            <li key={example}>
              <button
                type="button"
                onClick={() => setFilter((current) => (current.trim() === '' ? example : `${current.trim()} && ${example}`))}
                className="inline-flex min-h-6 items-center rounded-full border border-border bg-surface px-2 text-left text-small hover:bg-hover"
              >
                {name()}
              </button>
            </li>
          ))}
        </ul>
        <Matches filter={filter.trim()} />
        {saving.isError && Object.keys(refused).length === 0 && <FormError message={messageOf(saving.error)} />}
        <div className="mt-1 flex justify-end gap-2">
          <Button onClick={onClose}>{words.cancel()}</Button>
          <Button look="primary" type="submit" disabled={saving.isPending}>
            {words.save()}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

/**
 * React component: text below a filter field with the number of systems that match the filter expression `filter` now. For an invalid one
 * it has the hub's message.
 */
function Matches({ filter }: { filter: string }) {
  const [rested, setRested] = useState(filter)
  useEffect(() => {
    const timer = setTimeout(() => setRested(filter), REST_MS)
    return () => clearTimeout(timer)
  }, [filter])
  const { data, isError, error } = useQuery({ ...matchingSystemsQuery(rested), enabled: rested !== '' })
  const isCurrent = rested === filter
  return (
    <output className="block min-h-5 text-note text-muted wrap-anywhere">
      {filter !== '' && (isCurrent && isError ? messageOf(error) : matchText(isCurrent ? data : undefined))}
    </output>
  )
}

function matchText(result: FilterResult | undefined): string {
  if (result === undefined) return words.tag_rule_matching()
  return 'problem' in result ? words.problem_filter({ detail: result.problem }) : words.tag_rule_matches({ count: result.count })
}
