import type { Group } from '../../../api/access-lists.ts'
import { compareNames } from '../../../format/compare.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import * as words from '../../../words/messages.js'
import type { AccessDialog } from './access-dialogs.tsx'
import { peopleOf, personName } from './access-model.ts'
import { CardContent } from './card-content.tsx'
import { GrantLines } from './grant-lines.tsx'
import type { Access } from './use-access.ts'

type GroupsCardProps = { access: Access; onDialog: (dialog: AccessDialog) => void }

/**
 * React component: settings card with all groups of users, each with its members and the tags granted to it. Its buttons call `onDialog`
 * with the dialog to open, such as for editing a group.
 */
export function GroupsCard({ access, onDialog }: GroupsCardProps) {
  return (
    <Card id="groups" title={words.groups()} description={words.groups_about()}>
      <CardContent list={access.groups} failure={access.failure} empty={words.groups_none()}>
        {(groups) => (
          <ul aria-label={words.groups()} className="divide-y divide-border">
            {groups
              .toSorted((a, b) => compareNames(a.name, b.name))
              .map((group) => (
                <GroupEntry key={group.id} group={group} access={access} onDialog={onDialog} />
              ))}
          </ul>
        )}
      </CardContent>
      {access.groups !== undefined && (
        <Button className="mt-3" onClick={() => onDialog({ kind: 'group' })}>
          {words.group_new()}
        </Button>
      )}
    </Card>
  )
}

function GroupEntry({ group, access, onDialog }: GroupsCardProps & { group: Group }) {
  const { name } = group
  const holder = { kind: 'group', id: group.id } as const
  return (
    <li className="flex flex-col gap-1.5 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <div className="min-w-40 flex-1">
          <h3 className="font-medium wrap-anywhere">{name}</h3>
          <p className="text-note text-muted wrap-anywhere">{membersText(group, access)}</p>
          {group.claim !== '' && (
            <p className="text-note text-muted wrap-anywhere">
              {words.group_claimed({ claim: group.claim, count: group.claimedIds.length })}
            </p>
          )}
        </div>
        <div className="flex items-center gap-2">
          <Button aria-label={words.group_edit_one({ name })} onClick={() => onDialog({ kind: 'group', group })}>
            {words.group_edit()}
          </Button>
          <Button aria-label={words.group_delete_one({ name })} onClick={() => onDialog({ kind: 'delete-group', group })}>
            {words.delete_action()}
          </Button>
        </div>
      </div>
      <GrantLines
        holder={holder}
        access={access}
        empty={words.grants_none()}
        onRemove={(grant) => onDialog({ kind: 'remove-grant', grant })}
      />
      <Button className="self-start" aria-label={words.grant_tag_to({ name })} onClick={() => onDialog({ kind: 'grant', holder })}>
        {words.grant_tag()}
      </Button>
    </li>
  )
}

/** Maximum number of members, 10, that a group's line names; the number of further ones follows. */
const MOST_NAMES = 10

function membersText(group: Group, { people }: Access): string {
  const memberIds = peopleOf(group)
  const count = memberIds.length
  if (count === 0) return words.group_no_members()
  if (people === undefined) return words.group_member_count({ count })
  const names = people.filter(({ id }) => memberIds.includes(id)).map(personName)
  const shown = names.slice(0, MOST_NAMES).join(', ')
  const more = names.length - MOST_NAMES
  return words.group_member_names({ count, names: more > 0 ? words.names_and_more({ names: shown, count: more }) : shown })
}
