import { useMutation } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Grant, Holder, Right } from '../../../api/access-lists.ts'
import { changeGrant } from '../../../api/change-access.ts'
import { failureDetailOf } from '../../../api/field-messages.ts'
import { compareNames } from '../../../format/compare.ts'
import { taggedSystems } from '../../../navigation/tagged-systems.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { showToast } from '../../../ui/toasts.ts'
import * as words from '../../../words/messages.js'
import { rightChoices } from './right-choices.ts'
import { TagReachText } from './tag-reach-text.tsx'
import type { Access } from './use-access.ts'

type GrantLinesProps = { holder: Holder; access: Access; empty: string; onRemove: (grant: Grant) => void }

/**
 * React component: list of the tags granted to the user or group `holder`, each with right, number of systems, and a button that calls
 * `onRemove`. `empty` is the text without grants.
 */
export function GrantLines({ holder, access, empty, onRemove }: GrantLinesProps) {
  const grants = access.grants?.filter((grant) => grant.holder.kind === holder.kind && grant.holder.id === holder.id)
  const name = access.nameOf(holder)
  if (grants === undefined) return <p className="text-note text-muted">–</p>
  if (grants.length === 0) return <p className="text-note text-muted">{empty}</p>
  return (
    <ul aria-label={words.grants_of({ name })} className="flex flex-col">
      {grants
        .toSorted((a, b) => compareNames(a.tag, b.tag))
        .map((grant) => (
          <GrantLine key={grant.id} grant={grant} name={name} access={access} onRemove={onRemove} />
        ))}
    </ul>
  )
}

type GrantLineProps = { grant: Grant; name: string; access: Access; onRemove: (grant: Grant) => void }

function GrantLine({ grant, name, access, onRemove }: GrantLineProps) {
  const { tag, may } = grant
  const change = useMutation({
    mutationFn: (right: Right) => changeGrant(grant, right),
    onError: (error) => showToast({ title: words.grant_failed(), description: failureDetailOf(error), look: 'destructive' }),
  })
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1">
      <div className="flex min-w-40 flex-1 flex-wrap items-center gap-x-3 gap-y-0.5">
        <Link href={taggedSystems(tag)} className="flex h-6 max-w-full min-w-0 items-center rounded-full hover:bg-hover">
          <Tag text={tag} />
        </Link>
        <TagReachText reach={access.reachOf(tag)} />
      </div>
      <div className="flex items-center gap-2">
        <SelectField
          label={words.grant_may_of({ name, tag })}
          isLabelHidden
          choices={rightChoices()}
          value={change.isPending ? change.variables : may}
          onChange={(right) => change.mutate(right)}
          className="w-44"
        />
        <Button aria-label={words.grant_remove_one({ tag, name })} onClick={() => onRemove(grant)}>
          {words.remove_address()}
        </Button>
      </div>
    </li>
  )
}
