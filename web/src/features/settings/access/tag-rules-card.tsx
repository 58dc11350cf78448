import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { tagRulesList, type TagRule } from '../../../api/access-lists.ts'
import { deleteTagRule } from '../../../api/change-access.ts'
import type { System } from '../../../api/system-record.ts'
import { compareNames } from '../../../format/compare.ts'
import { Awaited } from '../../../ui/awaited.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Tag } from '../../../ui/tag.tsx'
import * as words from '../../../words/messages.js'
import { RemovalDialog } from './removal-dialog.tsx'
import { TagRuleDialog } from './tag-rule-dialog.tsx'

/** Dialog that is open above the card with tag rules: `edit` or `delete` for `rule`. `edit` without `rule` adds one. */
type RuleDialog = { readonly kind: 'edit'; readonly rule?: TagRule } | { readonly kind: 'delete'; readonly rule: TagRule }

/**
 * React component: settings card with all tag rules, sorted by tag. A tag rule gives a tag to every system that matches a filter. `systems`
 * is used to count those that have the tag by a rule; `undefined` while they are not loaded.
 */
export function TagRulesCard({ systems }: { systems: readonly System[] | undefined }) {
  const query = useQuery(tagRulesList.query)
  const [dialog, setDialog] = useState<RuleDialog>()
  const close = () => setDialog(undefined)
  return (
    <Card id="tag-rules" title={words.tag_rules()} description={words.tag_rules_about()}>
      <Awaited query={query} isEmpty={({ length }) => length === 0} empty={<p className="py-2 text-muted">{words.tag_rules_none()}</p>}>
        {(rules) => (
          <ul aria-label={words.tag_rules()} className="divide-y divide-border">
            {rules
              .toSorted((a, b) => compareNames(a.tag, b.tag) || compareNames(a.filter, b.filter))
              .map((rule) => (
                <RuleLine key={rule.id} rule={rule} systems={systems} onDialog={setDialog} />
              ))}
          </ul>
        )}
      </Awaited>
      {query.data !== undefined && (
        <Button className="mt-3" onClick={() => setDialog({ kind: 'edit' })}>
          {words.tag_rule_add()}
        </Button>
      )}
      {dialog?.kind === 'edit' && <TagRuleDialog rule={dialog.rule} systems={systems ?? []} onClose={close} />}
      {dialog?.kind === 'delete' && (
        <RemovalDialog
          title={words.tag_rule_delete_title({ tag: dialog.rule.tag })}
          description={words.tag_rule_delete_about()}
          action={words.delete_action()}
          remove={() => deleteTagRule(dialog.rule)}
          onClose={close}
        >
          <TaggedByRule tag={dialog.rule.tag} systems={systems} />
        </RemovalDialog>
      )}
    </Card>
  )
}

type RuleLineProps = { rule: TagRule; systems: readonly System[] | undefined; onDialog: (dialog: RuleDialog) => void }

function RuleLine({ rule, systems, onDialog }: RuleLineProps) {
  const { tag, filter } = rule
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-2.5">
      <div className="flex min-w-40 flex-1 flex-col items-start gap-1">
        <span className="flex max-w-full flex-wrap items-center gap-x-3">
          <Tag text={tag} />
          <TaggedByRule tag={tag} systems={systems} />
        </span>
        <code className="font-mono text-note wrap-anywhere">{filter}</code>
      </div>
      <div className="flex items-center gap-2">
        <Button aria-label={words.tag_rule_edit_one({ tag, filter })} onClick={() => onDialog({ kind: 'edit', rule })}>
          {words.group_edit()}
        </Button>
        <Button aria-label={words.tag_rule_delete_one({ tag, filter })} onClick={() => onDialog({ kind: 'delete', rule })}>
          {words.delete_action()}
        </Button>
      </div>
    </li>
  )
}

/** React component: text with the number of `systems` that have the tag `tag` because of a tag rule. */
function TaggedByRule({ tag, systems }: { tag: string; systems: readonly System[] | undefined }) {
  const count = systems?.filter(({ tags }) => tags.some((one) => one.text === tag && one.sources.includes('rule'))).length
  return <span className="text-note text-muted">{count === undefined ? words.reach_unknown() : words.tag_rule_tagged({ count })}</span>
}
