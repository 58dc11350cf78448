import type { Grant, Holder } from '../../../api/access-lists.ts'
import { compareNames } from '../../../format/compare.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import * as words from '../../../words/messages.js'
import type { AccessDialog } from './access-dialogs.tsx'
import { CardContent } from './card-content.tsx'
import { GrantLines } from './grant-lines.tsx'
import type { Access } from './use-access.ts'

/**
 * React component: settings card with the users to whom tags are granted directly (not through a group), each with those tags. Its buttons
 * call `onDialog` with the dialog to open, such as for a new grant.
 */
export function OwnGrantsCard({ access, onDialog }: { access: Access; onDialog: (dialog: AccessDialog) => void }) {
  const { grants, people, failure, nameOf } = access
  const isPossible = people?.some(({ role }) => role !== 'admin')
  return (
    <Card id="people" title={words.own_grants()} description={words.own_grants_about()}>
      <CardContent
        list={grants && holdersOf(grants)}
        failure={failure}
        empty={isPossible === false ? words.own_grants_admins() : words.own_grants_none()}
      >
        {(holders) => (
          <ul aria-label={words.own_grants()} className="divide-y divide-border">
            {holders
              .toSorted((a, b) => compareNames(nameOf(a), nameOf(b)))
              .map((holder) => (
                <li key={holder.id} className="flex flex-col gap-1 py-3">
                  <h3 className="font-medium wrap-anywhere">{nameOf(holder)}</h3>
                  <GrantLines holder={holder} access={access} empty="" onRemove={(grant) => onDialog({ kind: 'remove-grant', grant })} />
                </li>
              ))}
          </ul>
        )}
      </CardContent>
      {isPossible === true && grants !== undefined && (
        <Button className="mt-3" onClick={() => onDialog({ kind: 'grant' })}>
          {words.grant_tag()}
        </Button>
      )}
    </Card>
  )
}

/** Returns a list of the users (not groups) to whom at least one tag is granted, each once. */
const holdersOf = (grants: readonly Grant[]): readonly Holder[] =>
  [...new Set(grants.filter(({ holder }) => holder.kind === 'user').map(({ holder }) => holder.id))].map((id) => ({ kind: 'user', id }))
